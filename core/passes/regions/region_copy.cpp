#include "passes/regions/region_copy.h"

#include <algorithm>

namespace sunder {

RegionCopy::RegionCopy(const RankedGraph& graph) : m_graph(graph)
{
    for (Side* side : {&m_first, &m_other}) {
        side->stamp.assign(graph.size(), 0);
        side->label.assign(graph.size(), 0);
    }
}

void RegionCopy::begin(Side& side, std::span<const std::uint32_t> region)
{
    side.outer = 0;
    for (std::uint32_t i = 0; i < region.size(); ++i) {
        side.stamp[region[i]] = m_stamp;
        side.label[region[i]] = i;
    }
}

std::uint32_t RegionCopy::labelOf(Side& side, NodeId id)
{
    const std::uint32_t rank = m_graph.rank(id);
    if (side.stamp[rank] != m_stamp) {
        side.stamp[rank] = m_stamp;
        side.label[rank] = kOuter | side.outer++;
    }
    return side.label[rank];
}

bool RegionCopy::same(const Argument& a, const Argument& b, const char*& what)
{
    what = "have different constants";
    if (!a.holdsNodes() && !b.holdsNodes())
        return a == b;
    if (a.kind() != b.kind() || a.items().size() != b.items().size())
        return false;
    if (a.is(ArgumentKind::node)) {
        what = "are connected differently";
        return labelOf(m_first, a.asNode()) == labelOf(m_other, b.asNode());
    }
    if (a.className() != b.className() || !std::ranges::equal(a.fields(), b.fields()) || !std::ranges::equal(a.keys(), b.keys()))
        return false;
    for (std::size_t i = 0; i < a.items().size(); ++i)
        if (!same(a.items()[i], b.items()[i], what))
            return false;
    return true;
}

bool RegionCopy::sameNode(const Node& a, const Node& b, const char*& what)
{
    what = "have different targets";
    if (a.op != b.op || a.target != b.target)
        return false;
    what = "have different numbers of arguments";
    if (a.args.size() != b.args.size() || a.kwargs.size() != b.kwargs.size())
        return false;
    for (std::size_t i = 0; i < a.args.size(); ++i)
        if (!same(a.args[i], b.args[i], what))
            return false;
    for (std::size_t i = 0; i < a.kwargs.size(); ++i) {
        what = "have different keywords";
        if (a.kwargs[i].key != b.kwargs[i].key || !same(a.kwargs[i].value, b.kwargs[i].value, what))
            return false;
    }
    return true;
}

std::string RegionCopy::difference(std::span<const std::uint32_t> first, std::span<const std::uint32_t> other)
{
    ++m_stamp;
    begin(m_first, first);
    begin(m_other, other);
    const char* what = "";
    for (std::size_t i = 0; i < first.size(); ++i)
        if (!sameNode(m_graph.node(first[i]), m_graph.node(other[i]), what))
            return m_graph.nameOf(other[i]) + " and " + m_graph.nameOf(first[i]) + " of the first region " + what;
    return {};
}

} // namespace sunder
