#include "io/side_files/partitions_file.h"

#include "io/json/json_file.h"
#include "support/file.h"
#include "support/json_tape.h"

#include <unordered_set>

namespace sunder {
namespace {

constexpr std::uint64_t kMaxPartitionsBytes = 256ULL << 20U;
constexpr unsigned kMaxPartitionsDepth = 64;

} // namespace

Result<std::vector<PartitionPair>> parsePartitionsFile(std::string_view text, const std::string& nameForMessages)
{
    const JsonFile file("partitions file", nameForMessages);
    JsonTape tape;
    SUNDER_PROPAGATE(file.parse(tape, text, kMaxPartitionsDepth));
    if (!tape.root().is(JsonType::object))
        return file.wrong("is not an object", "");
    std::vector<PartitionPair> pairs;
    std::unordered_set<InternedString> seen;
    for (JsonValue key = tape.root().firstItem(); key; key = key.nextMember()) {
        const JsonValue value = key.memberValue();
        if (!seen.insert(intern(key.text())).second)
            return file.wrong("has a duplicate key", key.text());
        if (value.is(JsonType::integer))
            pairs.push_back({intern(key.text()), {intern(std::to_string(value.asInteger())), value.asInteger()}});
        else if (value.is(JsonType::string))
            pairs.push_back({intern(key.text()), {intern(value.text()), std::nullopt}});
        else
            return file.wrong("must have a 64-bit integer or a string", key.text());
    }
    return pairs;
}

Result<std::vector<PartitionPair>> readPartitionsFile(const std::string& path)
{
    SUNDER_TRY(const std::string text, readFile(path, kMaxPartitionsBytes));
    return parsePartitionsFile(text, path);
}

Result<PartitionAssignment> readPartitionsOf(const Graph& graph, const std::string& path)
{
    SUNDER_TRY(const std::vector<PartitionPair> pairs, readPartitionsFile(path));
    PartitionAssignment partitions = assignPartitions(graph, pairs);
    if (partitions.unknownNodes.empty())
        return partitions;
    const auto& [node, partition] = partitions.unknownNodes.front();
    return fail(ErrorCode::refused,
                "the partitions file assigns partition \"" + partition.text.str() + "\" to unknown node \"" + node.str() + '"',
                {.file = path, .node = node.str(), .other = partition.text.str()});
}

} // namespace sunder
