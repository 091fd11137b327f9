#include "analysis/cost/flops.h"

#include "analysis/cost/flop_formulas.h"

#include <algorithm>

namespace sunder {
namespace {

constexpr int kMaxDepth = 64; ///< of graphs that call graphs; deeper ones are unknown

bool isCond(const Node& node)
{
    static const InternedString kCond = intern("torch.ops.higher_order.cond");
    return node.op == Op::callFunction && node.target == kCond;
}

} // namespace

std::vector<GraphId> executedGraphs(const Program& program, OperatorCatalog& operators, GraphId in, const Node& call)
{
    if (call.op == Op::callModule)
        return {moduleGraph(program, in, call.target)};
    if (call.op != Op::callFunction)
        return {};
    const CallRole role = operators.of(call.op, call.target).role;
    std::vector<GraphId> graphs;
    if (isCond(call) || role == CallRole::gradRegion || role == CallRole::autocastRegion)
        for (const Argument& argument : call.args)
            graphs.push_back(graphOf(program, in, argument));
    std::erase(graphs, GraphId());
    return graphs;
}

void FlopCounter::Tally::add(std::string_view packet, std::optional<std::uint64_t> count)
{
    auto found = std::ranges::find(counts, packet, &std::pair<std::string_view, std::uint64_t>::first);
    if (found == counts.end())
        found = counts.insert(found, {packet, 0});
    const std::optional<std::uint64_t> total = sumOf(found->second, count);
    isKnown = isKnown && total;
    found->second = total.value_or(0);
}

NodeFlops FlopCounter::of(GraphId graph, NodeId node)
{
    Tally tally;
    add(graph, m_program.graph(graph)[node], tally);
    std::optional<std::uint64_t> total = tally.isKnown ? std::optional<std::uint64_t>(0) : std::nullopt;
    for (const auto& [packet, count] : tally.counts)
        total = sumOf(total, count);
    return {.count = total, .hasFormula = tally.hasFormula};
}

void FlopCounter::add(GraphId in, const Node& node, Tally& tally)
{
    if (!node.isCall())
        return;
    if (isCond(node))
        return addBranches(in, node, tally);
    if (const std::vector<GraphId> graphs = executedGraphs(m_program, m_operators, in, node); !graphs.empty()) {
        for (const GraphId graph : graphs)
            addBody(graph, tally);
        return;
    }
    const Graph& graph = m_program.graph(in);
    const Result<ChosenCall> call = exactCall(m_operators, graph, node, node.args, node.kwargs);
    if (!call)
        return;
    const std::string packet = packetName(operatorName(call->target.view()));
    for (const OperatorFlops& flops : flopsOf(CallShapes(graph, *call, node.meta.val), packet)) {
        tally.hasFormula = true;
        tally.add(flops.packet, flops.count);
    }
}

void FlopCounter::addBody(GraphId body, Tally& tally)
{
    if (!body)
        return;
    const bool isAfterOthers = tally.hasCounted();
    const auto [found, isNew] = m_bodies.try_emplace(std::uint64_t{body.index()} * 2 + (isAfterOthers ? 1 : 0));
    Tally& counted = found->second;
    if (isNew) {
        counted.isKnown = false; // for a graph that calls itself
        Tally whole{.isAfterOthers = isAfterOthers, .isKnown = m_depth < kMaxDepth};
        if (++m_depth <= kMaxDepth)
            for (const NodeId node : m_program.graph(body).order())
                add(body, m_program.graph(body)[node], whole);
        --m_depth;
        counted = std::move(whole);
    }
    tally.hasFormula = tally.hasFormula || counted.hasFormula;
    tally.isKnown = tally.isKnown && counted.isKnown;
    for (const auto& [packet, count] : counted.counts)
        tally.add(packet, count);
}

/// PyTorch keeps the larger count per operator, unless the branches are part of a graph that has counted already: its copies of
/// the counts are then the same object, and both branches are added.
void FlopCounter::addBranches(GraphId in, const Node& cond, Tally& tally)
{
    if (cond.args.size() < 3)
        return;
    const bool addsBoth = tally.hasCounted();
    addBody(graphOf(m_program, in, cond.args[1]), tally);
    if (addsBoth)
        return addBody(graphOf(m_program, in, cond.args[2]), tally);
    Tally other;
    addBody(graphOf(m_program, in, cond.args[2]), other);
    tally.hasFormula = tally.hasFormula || other.hasFormula;
    tally.isKnown = tally.isKnown && other.isKnown;
    for (const auto& [packet, count] : other.counts) {
        const auto found = std::ranges::find(tally.counts, packet, &std::pair<std::string_view, std::uint64_t>::first);
        if (found == tally.counts.end())
            tally.counts.emplace_back(packet, count);
        else
            found->second = std::max(found->second, count);
    }
}

} // namespace sunder
