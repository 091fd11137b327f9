#include "passes/part_table.h"

#include "analysis/tag_assignment.h"
#include "ir/getitem.h"

#include <unordered_map>

namespace sunder {
namespace {

std::unordered_map<InternedString, std::int32_t> partsByName(const SplitResult& split)
{
    std::unordered_map<InternedString, std::int32_t> parts;
    for (std::size_t part = 0; part < split.partNames.size(); ++part)
        parts.emplace(split.partNames[part], static_cast<std::int32_t>(part));
    return parts;
}

} // namespace

std::vector<NodeId> callsOfParts(const SplitResult& split)
{
    const auto parts = partsByName(split);
    const Graph& main = split.program.rootGraph();
    std::vector<NodeId> calls(split.parts.size());
    for (const NodeId id : main.nodes())
        if (main[id].op == Op::callModule)
            if (const auto part = parts.find(main[id].target);
                part != parts.end() && !calls[static_cast<std::size_t>(part->second)])
                calls[static_cast<std::size_t>(part->second)] = id;
    return calls;
}

std::vector<std::int32_t> partTableOf(const SplitResult& split, int part)
{
    const Graph& graph = part < 0 ? split.program.rootGraph() : split.program.graph(split.parts[static_cast<std::size_t>(part)]);
    std::vector<std::int32_t> table(graph.idBound(), TagAssignment::kTakesNoTag);
    if (part >= 0) {
        for (const NodeId id : graph.nodes())
            if (graph[id].isCall())
                table[id.index()] = part;
        return table;
    }
    const auto parts = partsByName(split);
    for (const NodeId id : graph.nodes()) {
        const NodeId call = itemNumber(graph[id]) ? graph[id].args.front().asNode()
                                                  : id; // a getitem belongs to the call it reads
        if (graph[call].op != Op::callModule)
            continue;
        if (const auto at = parts.find(graph[call].target); at != parts.end())
            table[id.index()] = at->second;
    }
    return table;
}

} // namespace sunder
