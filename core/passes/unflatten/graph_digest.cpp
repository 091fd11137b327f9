#include "passes/unflatten/graph_digest.h"

#include <algorithm>

namespace sunder {
namespace {

std::uint64_t mix(std::uint64_t hash, std::uint64_t value)
{
    hash ^= value + 0x9E3779B97F4A7C15ULL + (hash << 6U) + (hash >> 2U);
    return hash * 0xBF58476D1CE4E5B9ULL;
}

bool targetCounts(const Node& node)
{
    return node.op == Op::callFunction || node.op == Op::getAttr || node.op == Op::callMethod;
}

std::uint64_t markOf(const NodeMarks& marks, NodeId id)
{
    return id.index() < marks.size() ? marks[id.index()] : 0;
}

std::uint64_t digestOf(const Argument& value, const std::vector<std::uint32_t>& positions)
{
    if (!value.holdsNodes())
        return hashOf(value);
    if (value.is(ArgumentKind::node))
        return mix(1, positions[value.asNode().index()]);
    std::uint64_t hash = mix(2, static_cast<std::uint64_t>(value.kind()));
    for (const Argument& item : value.items())
        hash = mix(hash, digestOf(item, positions));
    return hash;
}

bool sameValue(const Argument& a, const Argument& b, const ComparedGraph& inA, const ComparedGraph& inB)
{
    if (a.holdsNodes() != b.holdsNodes() || a.kind() != b.kind())
        return false;
    if (!a.holdsNodes())
        return a == b;
    if (a.is(ArgumentKind::node))
        return inA.positions[a.asNode().index()] == inB.positions[b.asNode().index()];
    const auto same = [&](const Argument& x, const Argument& y) { return sameValue(x, y, inA, inB); };
    return std::ranges::equal(a.items(), b.items(), same) && std::ranges::equal(a.keys(), b.keys());
}

bool sameNode(const Node& a, const Node& b, const ComparedGraph& inA, const ComparedGraph& inB)
{
    if (a.op != b.op || (targetCounts(a) && a.target != b.target))
        return false;
    const auto same = [&](const Argument& x, const Argument& y) { return sameValue(x, y, inA, inB); };
    const auto sameKeyword = [&](const Keyword& x, const Keyword& y) {
        return x.key == y.key && sameValue(x.value, y.value, inA, inB);
    };
    return std::ranges::equal(a.args, b.args, same) && std::ranges::equal(a.kwargs, b.kwargs, sameKeyword);
}

} // namespace

std::uint64_t digest(const Graph& graph, const std::vector<std::uint32_t>& positions, const NodeMarks& marks)
{
    std::uint64_t hash = graph.size();
    for (const NodeId id : graph.nodes()) {
        const Node& node = graph.node(id);
        if (node.op == Op::output)
            continue;
        hash = mix(hash, static_cast<std::uint64_t>(node.op));
        hash = mix(hash, targetCounts(node) ? node.target.id() : 0);
        hash = mix(hash, markOf(marks, id));
        for (const Argument& argument : node.args)
            hash = mix(hash, digestOf(argument, positions));
        for (const Keyword& keyword : node.kwargs)
            hash = mix(mix(hash, keyword.key.id()), digestOf(keyword.value, positions));
    }
    return hash;
}

bool sameBody(const ComparedGraph& a, const ComparedGraph& b)
{
    if (a.graph.size() != b.graph.size())
        return false;
    NodeId x = a.graph.first();
    for (NodeId y = b.graph.first(); x && y; x = a.graph.next(x), y = b.graph.next(y)) {
        const Node& nodeA = a.graph.node(x);
        const Node& nodeB = b.graph.node(y);
        const bool bothReturn = nodeA.op == Op::output && nodeB.op == Op::output;
        if (!bothReturn && (markOf(a.marks, x) != markOf(b.marks, y) || !sameNode(nodeA, nodeB, a, b)))
            return false;
    }
    return true;
}

bool sameOutput(const ComparedGraph& a, const ComparedGraph& b)
{
    const NodeId x = a.graph.output();
    const NodeId y = b.graph.output();
    return x && y ? sameNode(a.graph.node(x), b.graph.node(y), a, b) : x == y;
}

} // namespace sunder
