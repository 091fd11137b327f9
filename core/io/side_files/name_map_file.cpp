#include "io/side_files/name_map_file.h"

#include "support/file.h"
#include "support/json_text.h"

#include <unordered_map>

namespace sunder {

std::string nameMapJson(const NameMap& names)
{
    std::unordered_map<InternedString, std::size_t> last;
    for (std::size_t i = 0; i < names.size(); ++i)
        last[names[i].first] = i;
    std::string out = "{";
    for (std::size_t i = 0; i < names.size(); ++i) {
        if (last[names[i].first] != i)
            continue;
        out += out.size() == 1 ? "\n" : ",\n";
        appendJsonString(out, names[i].first.view());
        out += ':';
        appendJsonString(out, names[i].second.view());
    }
    return out + "}\n";
}

Result<void> writeNameMap(const NameMap& names, const std::string& path)
{
    return writeFileAtomically(path, nameMapJson(names));
}

} // namespace sunder
