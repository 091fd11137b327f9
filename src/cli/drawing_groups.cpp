#include "cli/drawing_groups.h"

#include "cli/pass_switches.h"
#include "cli/tags.h"
#include "io/side_files/partitions_file.h"

#include <algorithm>
#include <array>
#include <string_view>
#include <unordered_map>
#include <utility>

namespace sunder::cli {
namespace {

constexpr std::array<std::pair<std::string_view, ColorBy>, 5> kColorWords{{{"tag", ColorBy::tag},
                                                                           {"op", ColorBy::op},
                                                                           {"module", ColorBy::module},
                                                                           {"partition", ColorBy::partition},
                                                                           {"region", ColorBy::region}}};

/// Represents any grouping of nodes as tags, so that pictures need only one way of coloring.
class Groups {
public:
    explicit Groups(const Graph& graph) { m_groups.tagOf.assign(graph.idBound(), TagAssignment::kUntagged); }

    void put(NodeId node, InternedString group)
    {
        const auto [at, isNew] = m_indices.emplace(group, static_cast<std::int32_t>(m_groups.order.size()));
        if (isNew)
            m_groups.order.push_back(group);
        m_groups.tagOf[node.index()] = at->second;
    }
    TagAssignment take() { return std::move(m_groups); }

private:
    TagAssignment m_groups;
    std::unordered_map<InternedString, std::int32_t> m_indices;
};

TagAssignment byOperatorOrModule(const Program& program, ColorBy what)
{
    const Graph& graph = program.rootGraph();
    Groups groups(graph);
    for (const NodeId id : graph.nodes()) {
        const Node& node = graph[id];
        if (!node.isCall())
            continue;
        const ModuleStack& stack = program.stackOf(node);
        const InternedString outermost = stack.size() < 2 ? intern("(none)") : stack[1].path;
        groups.put(id, what == ColorBy::module ? outermost : node.target);
    }
    return groups.take();
}

/// Numbered partitions are named as in the window: P0, P1, …
Result<TagAssignment> byPartition(const Invocation& invocation, const Program& program)
{
    const Graph& graph = program.rootGraph();
    SUNDER_TRY(const PartitionAssignment partitions, readPartitionsOf(graph, invocation.value("partitions")));
    Groups groups(graph);
    for (const NodeId id : graph.nodes()) {
        const std::uint32_t partition = partitions[id];
        if (partition == PartitionAssignment::kNone || !graph[id].isCall())
            continue;
        const PartitionId& name = partitions.ids[partition];
        groups.put(id, name.number ? intern("P" + name.text.str()) : name.text);
    }
    return groups.take();
}

Result<TagAssignment> byRegion(const Invocation& invocation, const Program& program)
{
    const RegionOptions options = givenOptions<RegionOptions>(invocation);
    SUNDER_TRY(const RegionResult regions, findRegions(program, options, invocation.monitor));
    Groups groups(program.rootGraph());
    for (std::size_t group = 0; group < regions.groups.size(); ++group)
        for (const NodeId node : regions.groups[group].nodes)
            groups.put(node, intern("R" + std::to_string(group)));
    return groups.take();
}

/// Refuses options that do not apply to this coloring, since ignoring them would produce a misleading picture.
Result<void> checkHeard(const Invocation& invocation, ColorBy what)
{
    const auto only = [&](const char* option, ColorBy meaning, const char* word) -> Result<void> {
        if (!invocation.isSet(option) || what == meaning)
            return {};
        return fail(ErrorCode::usage, "--" + std::string(option) + " needs --color-by " + word);
    };
    if (what == ColorBy::partition && !invocation.isSet("partitions"))
        return fail(ErrorCode::usage, "--color-by partition needs --partitions PARTITIONS.json");
    SUNDER_PROPAGATE(only("partitions", ColorBy::partition, "partition"));
    SUNDER_PROPAGATE(only("key", ColorBy::region, "region"));
    return only("as-upstream", ColorBy::region, "region");
}

} // namespace

Result<ColorBy> colorByOf(const Invocation& invocation)
{
    const std::string word = invocation.value("color-by");
    const ColorBy what = std::ranges::find(kColorWords, word, &std::pair<std::string_view, ColorBy>::first)->second;
    SUNDER_PROPAGATE(checkHeard(invocation, what));
    return what;
}

std::vector<CommandOption> colorOptions()
{
    static constexpr CommandOption kOptions[] = {
        CommandOption{Takes::word, "color-by", "tag|op|module|partition|region",
                      "Meaning of colors: tag (default), op, module, partition (see --partitions), or region (group of repeated "
                      "regions)."}
            .usually("tag"),
        {Takes::input, "tags", "TAGS.json", "Tags for colors, instead of those in the model."},
        {Takes::input, "partitions", "PARTITIONS.json",
         "With --color-by partition: partition of each node, a number or a string."},
    };
    return joined({kOptions, passSwitches<RegionOptions>()});
}

Result<TagAssignment> colorsFor(const Invocation& invocation, const Program& program, ColorBy what)
{
    switch (what) {
    case ColorBy::op:
    case ColorBy::module: return byOperatorOrModule(program, what);
    case ColorBy::partition: return byPartition(invocation, program);
    case ColorBy::region: return byRegion(invocation, program);
    case ColorBy::tag: break;
    }
    return invocation.isSet("tags") ? tagsFor(invocation, program) : Result<TagAssignment>(tagsOnNodes(program));
}

} // namespace sunder::cli
