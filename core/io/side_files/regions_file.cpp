#include "io/side_files/regions_file.h"

#include "support/file.h"
#include "support/json_text.h"

namespace sunder {
namespace {

void appendRegion(std::string& out, const RegionsFile::Region& region)
{
    out += '[';
    for (std::size_t i = 0; i < region.size(); ++i) {
        out += i == 0 ? "" : ",";
        appendJsonString(out, region[i].view());
    }
    out += ']';
}

} // namespace

std::string regionsJson(const RegionsFile& regions)
{
    std::string out = "{\"groups\":[";
    for (std::size_t i = 0; i < regions.groups.size(); ++i) {
        out += i == 0 ? "\n{\"regions\":[" : ",\n{\"regions\":[";
        for (std::size_t k = 0; k < regions.groups[i].size(); ++k) {
            out += k == 0 ? "\n" : ",\n";
            appendRegion(out, regions.groups[i][k]);
        }
        out += "]}";
    }
    out += "],\n\"rejected\":[";
    for (std::size_t i = 0; i < regions.rejected.size(); ++i) {
        out += i == 0 ? "\n{\"regions\":[" : ",\n{\"regions\":[";
        appendRegion(out, regions.rejected[i].region);
        out += "],\"why\":";
        appendJsonString(out, regions.rejected[i].why);
        out += '}';
    }
    return out + "]}\n";
}

Result<void> writeRegionsFile(const RegionsFile& regions, const std::string& path)
{
    return writeFileAtomically(path, regionsJson(regions));
}

} // namespace sunder
