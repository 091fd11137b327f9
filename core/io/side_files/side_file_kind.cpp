#include "io/side_files/side_file_kind.h"

#include "support/json_tape.h"

#include <algorithm>
#include <array>
#include <string>
#include <vector>

namespace sunder {
namespace {

using Keys = std::vector<std::string>;

/// Adds the keys of an object.
void takeKeys(JsonValue object, Keys& keys)
{
    if (object.is(JsonType::object))
        for (JsonValue key = object.firstItem(); key; key = key.nextMember())
            keys.emplace_back(key.text());
}

struct SideFile {
    std::array<std::string_view, 3> keys; ///< all must be present; empty: none
    std::string_view name;
};

const std::array kSideFiles = {
    SideFile{{"sunder", "source"}, "a Sunder project; rename it so that it ends in .sunder"},
    SideFile{{"format", "version", "source"}, "the manifest of exported parts, not a model; open one of the parts next to it"},
    SideFile{{"rules"},
             "a file of tag rules, not a model; open the model, then load the rules in the Rules panel or with --rules"},
    SideFile{{"tags"}, "a file of tags, not a model; open the model, then the tags with the File menu or --tags"},
    SideFile{{"mode", "devices"}, "a configuration of the partitioner, not a model; use it with sunder-cli partition --config"},
    SideFile{{"version", "texts"}, "the identities of the ops of a model, not a model; use it with sunder-cli transfer --from"},
};

constexpr std::string_view kDevices = "a list of devices, not a model; import it in the Devices panel, or use --devices";

} // namespace

std::string_view nameOfSideFile(std::string_view head)
{
    const auto has = [](const Keys& keys, std::string_view key) { return std::ranges::find(keys, key) != keys.end(); };
    constexpr unsigned kMaxHeadDepth = 512;
    JsonTape tape;
    [[maybe_unused]] const Result<void> isWhole = tape.parse(head, kMaxHeadDepth); // the head of a large file is not
    const JsonValue root = tape.root();
    Keys ofItems;
    if (root.is(JsonType::array))
        for (JsonValue item = root.firstItem(); item; item = item.nextItem())
            takeKeys(item, ofItems);
    if (has(ofItems, "name") && (has(ofItems, "available_mem_bytes") || has(ofItems, "logical_id")))
        return kDevices;
    Keys keys;
    takeKeys(root, keys);
    if (has(keys, "graph_module") || has(keys, "schema_version"))
        return {};
    for (const SideFile& side : kSideFiles)
        if (std::ranges::all_of(side.keys, [&](std::string_view key) { return key.empty() || has(keys, key); }))
            return side.name;
    return {};
}

} // namespace sunder
