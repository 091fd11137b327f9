#include "io/side_files/side_file_kind.h"

#include <algorithm>
#include <array>
#include <vector>

namespace sunder {
namespace {

/// Keys at one depth, as they stand, as far as the text goes: 1 of an object, 2 of objects in a list.
std::vector<std::string_view> keysAt(std::string_view json, int depth)
{
    std::vector<std::string_view> keys;
    std::string_view word;
    int open = 0;
    for (std::size_t i = 0; i < json.size(); ++i) {
        const char c = json[i];
        if (c == '"') {
            const std::size_t from = i + 1;
            for (i = from; i < json.size() && json[i] != '"'; ++i)
                i += json[i] == '\\' ? 1 : 0;
            word = i < json.size() ? json.substr(from, i - from) : std::string_view();
        } else if (c == ':' && open == depth && !word.empty()) {
            keys.push_back(word);
        } else if (c == '{' || c == '[') {
            ++open;
        } else if (c == '}' || c == ']') {
            --open;
        }
        if (c != '"' && c != ' ' && c != '\n' && c != '\r' && c != '\t')
            word = {};
    }
    return keys;
}

struct SideFile {
    std::array<std::string_view, 3> keys; ///< all of them; empty: none
    std::string_view name;
};

const std::array kSideFiles = {
    SideFile{{"sunder", "source"}, "a Sunder project, whose file has to end in .sunder"},
    SideFile{{"format", "version", "source"}, "the list of exported parts, not a model; open one of the parts beside it"},
    SideFile{{"rules"},
             "a file of rules for tags, not a model; open the model, then these in the panel Rules, or give them with --rules"},
    SideFile{{"tags"}, "a file of tags, not a model; open the model, then File > Take tags from a file, or give it with --tags"},
    SideFile{{"mode", "devices"},
             "a configuration of the partitioner, not a model; give it to sunder-cli partition with --config"},
    SideFile{{"version", "texts"}, "what the ops of an export were, not a model; give it with --from"},
};

constexpr std::string_view kDevices = "a list of devices, not a model; import it in the panel Devices, or give it with --devices";

} // namespace

std::string_view nameOfSideFile(std::string_view head)
{
    const std::size_t start = head.find_first_not_of(" \t\r\n");
    if (start == std::string_view::npos)
        return {};
    head.remove_prefix(start);
    const auto has = [](const std::vector<std::string_view>& keys, std::string_view key) {
        return std::ranges::find(keys, key) != keys.end();
    };
    if (head.front() == '[') {
        const std::vector<std::string_view> keys = keysAt(head, 2);
        return has(keys, "name") && (has(keys, "available_mem_bytes") || has(keys, "logical_id")) ? kDevices : std::string_view();
    }
    const std::vector<std::string_view> keys = keysAt(head, 1);
    if (has(keys, "graph_module") || has(keys, "schema_version"))
        return {};
    for (const SideFile& side : kSideFiles)
        if (std::ranges::all_of(side.keys, [&](std::string_view key) { return key.empty() || has(keys, key); }))
            return side.name;
    return {};
}

} // namespace sunder
