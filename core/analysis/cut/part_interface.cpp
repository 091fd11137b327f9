#include "analysis/cut/part_interface.h"

#include "analysis/cut/cut_edges.h"

#include <algorithm>
#include <utility>

namespace sunder {
namespace {

BoundaryValue boundaryValue(const CutGraph& graph, std::uint32_t value)
{
    return {.node = graph.nodes[value], .bytes = graph.bytes[value], .isKnown = graph.isUnknown[value] == 0};
}

} // namespace

std::vector<PartInterface> partInterfaces(const CutGraph& graph, const TagAssignment& tags)
{
    const std::vector<std::int32_t> partOf = partsOfCalls(graph, tags);
    const Rows calls = callsOfParts(partOf, tags.order.size());
    std::vector<PartInterface> interfaces(tags.order.size());
    std::vector<std::uint32_t> seen(graph.nodes.size(), 0);
    for (std::uint32_t part = 0; part < interfaces.size(); ++part)
        for (const std::uint32_t call : calls[part]) {
            for (const std::uint32_t value : graph.inputs[call]) {
                const std::int32_t from = value < graph.callCount ? partOf[value] : TagAssignment::kUntagged;
                if (from == static_cast<std::int32_t>(part) || std::exchange(seen[value], part + 1) == part + 1)
                    continue;
                interfaces[part].inputs.push_back(boundaryValue(graph, value));
                interfaces[part].inputs.back().from = from;
            }
            BoundaryValue output = boundaryValue(graph, call);
            partsThatRead(graph, partOf, call, output.to);
            output.toProgram = graph.leavesProgram[call] != 0;
            if (output.toProgram || !output.to.empty())
                interfaces[part].outputs.push_back(std::move(output));
        }
    return interfaces;
}

} // namespace sunder
