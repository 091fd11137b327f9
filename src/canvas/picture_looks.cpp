#include "canvas/picture_looks.h"

#include <algorithm>
#include <cmath>
#include <optional>

namespace sunder {
namespace {

std::uint64_t pairKey(ItemId from, ItemId to)
{
    return (std::uint64_t{from.index()} << 32) | to.index();
}

/// Returns the first edge from one item to another; searches the edges of the item that has fewer.
std::optional<std::uint32_t> edgeBetween(const Picture& picture, const PictureTables& tables, ItemId from, ItemId to)
{
    const std::span<const std::uint32_t> out = tables.edgesFrom(from);
    const std::span<const std::uint32_t> in = tables.edgesInto(to);
    for (const std::uint32_t edge : out.size() < in.size() ? out : in)
        if (picture.edges[edge].from == from && picture.edges[edge].to == to)
            return edge;
    return std::nullopt;
}

/// Returns a route from the outgoing side of a box to the incoming side of another, in the form of layout edges.
BezierPath directRoute(const Rect& from, const Rect& to, FlowDirection direction)
{
    if (direction == FlowDirection::right) {
        const Point start{from.right(), from.center().y};
        const Point end{to.x, to.center().y};
        const float bend = std::max(24.F, std::abs(end.x - start.x) * 0.4F);
        return {start, {start.x + bend, start.y}, {end.x - bend, end.y}, end};
    }
    const Point start{from.center().x, from.bottom()};
    const Point end{to.center().x, to.y};
    const float bend = std::max(24.F, std::abs(end.y - start.y) * 0.4F);
    return {start, {start.x, start.y + bend}, {end.x, end.y - bend}, end};
}

/// Visits the ops of a node by tag: the op itself, or the ops that a call runs.
template <typename Visit>
void forTags(const PictureStyle& style, NodeId node, const Visit& visit)
{
    if (const auto within = style.within.empty() ? style.within.end() : style.within.find(node); within != style.within.end())
        std::ranges::for_each(within->second, visit);
    else if (const std::int32_t tag = style.tag(node); tag != PictureStyle::kTakesNoTag)
        visit(TagOps{tag, 1, node.index() < style.nodeBytes.size() ? style.nodeBytes[node.index()] : 0});
}

} // namespace

ItemId itemOf(const Picture& picture, NodeId node)
{
    return node.isValid() && node.index() < picture.itemOf.size() ? picture.itemOf[node.index()] : ItemId();
}

PictureLooks::PictureLooks(const Picture& picture, const PictureTables& tables, const PictureStyle& style)
    : m_tables(&tables), m_style(&style), m_sumOf(tables.size(), kNotSummed), m_shares(style.tags.size() + 1)
{
    for (std::size_t tag = 0; tag < style.tags.size(); ++tag)
        m_whole.push_back({static_cast<std::int32_t>(tag), 1, 1});
    m_whole.push_back({PictureStyle::kUntagged, 1, 1});
    addBackward(picture);
}

ItemLook PictureLooks::operator[](ItemId item) const
{
    const NodeId node = singleNode(item);
    ItemLook look = node ? lookOf(node) : sumOf(item).look;
    look.backward = !m_turnedInside.empty() && std::ranges::binary_search(m_turnedInside, item);
    return look;
}

std::span<const StripPart> PictureLooks::strip(ItemId item) const
{
    if (const NodeId node = singleNode(item)) {
        const std::int32_t tag = m_style->tag(node);
        if (tag == PictureStyle::kTakesNoTag)
            return {};
        const bool known = tag >= 0 && static_cast<std::size_t>(tag) + 1 < m_whole.size();
        return std::span(m_whole).subspan(known ? static_cast<std::size_t>(tag) : m_whole.size() - 1, 1);
    }
    const Sum& sum = sumOf(item);
    return std::span(m_strips).subspan(sum.stripBegin, sum.stripEnd - sum.stripBegin);
}

NodeId PictureLooks::singleNode(ItemId item) const
{
    const std::span<const NodeId> nodes = m_tables->nodesOf(item);
    const bool isSingle = nodes.size() == 1 && (m_style->within.empty() || !m_style->within.contains(nodes.front()));
    return isSingle ? nodes.front() : NodeId();
}

ItemLook PictureLooks::lookOf(NodeId node) const
{
    return {.tag = m_style->tag(node),
            .cost = m_style->costs ? m_style->costs->figures->of(node) : CostFigure(),
            .selected = m_style->selected.contains(node),
            .marked = m_style->marked.contains(node),
            .noted = m_style->noted.contains(node),
            .found = m_style->found.contains(node),
            .counterpart = m_style->counterparts.contains(node)};
}

const PictureLooks::Sum& PictureLooks::sumOf(ItemId item) const
{
    std::uint32_t& index = m_sumOf[item.index()];
    if (index == kNotSummed) {
        index = static_cast<std::uint32_t>(m_sums.size());
        m_sums.push_back(add(m_tables->nodesOf(item)));
    }
    return m_sums[index];
}

PictureLooks::Sum PictureLooks::add(std::span<const NodeId> nodes) const
{
    Sum sum;
    ItemLook& look = sum.look;
    std::size_t selected = 0;
    TagOps all{.tag = PictureStyle::kTakesNoTag};
    for (const NodeId node : nodes) {
        const ItemLook one = lookOf(node);
        selected += one.selected ? 1 : 0;
        look.cost.add(one.cost);
        look.marked = look.marked || one.marked;
        look.noted = look.noted || one.noted;
        look.found = look.found || one.found;
        look.counterpart = look.counterpart || one.counterpart;
        forTags(*m_style, node, [&all](const TagOps& share) {
            all.tag = all.ops == 0 || all.tag == share.tag ? share.tag : ItemLook::kMixed;
            all.ops += share.ops;
            all.bytes += share.bytes;
        });
    }
    look.tag = all.tag;
    look.selected = selected > 0 && selected == nodes.size();
    look.partSelected = selected > 0 && !look.selected;
    sum.stripBegin = static_cast<std::uint32_t>(m_strips.size());
    if (all.tag == ItemLook::kMixed)
        addStrip(nodes, all);
    else if (all.ops > 0)
        m_strips.push_back({all.tag, 1, all.ops});
    sum.stripEnd = static_cast<std::uint32_t>(m_strips.size());
    return sum;
}

void PictureLooks::addStrip(std::span<const NodeId> nodes, const TagOps& all) const
{
    std::fill(m_shares.begin(), m_shares.end(), TagOps());
    for (const NodeId node : nodes)
        forTags(*m_style, node, [this](const TagOps& share) {
            const bool known = share.tag >= 0 && static_cast<std::size_t>(share.tag) + 1 < m_shares.size();
            TagOps& sum = known ? m_shares[static_cast<std::size_t>(share.tag)] : m_shares.back();
            sum.ops += share.ops;
            sum.bytes += share.bytes;
        });
    // Ops without bytes get a small weight, so that no tag vanishes from the strip.
    const double byOps = all.bytes > 0 ? 0.05 : 1;
    for (std::size_t i = 0; i < m_shares.size(); ++i) {
        if (m_shares[i].ops == 0)
            continue;
        double weight = byOps * m_shares[i].ops / all.ops;
        if (all.bytes > 0)
            weight += static_cast<double>(m_shares[i].bytes) / static_cast<double>(all.bytes);
        const bool isUntagged = i + 1 == m_shares.size();
        m_strips.push_back({isUntagged ? PictureStyle::kUntagged : static_cast<std::int32_t>(i),
                            static_cast<float>(weight / (all.bytes > 0 ? 1 + byOps : 1)), m_shares[i].ops});
    }
}

void PictureLooks::addBackward(const Picture& picture)
{
    const std::vector<BackwardMark>& marks = m_style->backward;
    if (marks.empty())
        return;
    m_edgeBackward.assign(picture.edges.size(), false);
    std::unordered_map<std::uint64_t, bool> drawn;
    for (std::uint32_t i = 0; i < marks.size(); ++i) {
        const ItemId from = itemOf(picture, marks[i].producer);
        const ItemId to = itemOf(picture, marks[i].consumer);
        if (!from || !to)
            continue;
        if (from == to) {
            m_turnedInside.push_back(from);
            continue;
        }
        if (!drawn.emplace(pairKey(from, to), true).second)
            continue;
        const std::optional<std::uint32_t> edge = edgeBetween(picture, *m_tables, from, to);
        const bool routed = edge && picture.edges[*edge].path.size() >= 4;
        if (routed)
            m_edgeBackward[*edge] = true;
        m_backward.push_back(
            {i, from, to,
             routed ? picture.edges[*edge].path
                    : directRoute(picture.items[from.index()].rect, picture.items[to.index()].rect, picture.direction)});
    }
    std::ranges::sort(m_turnedInside);
}

} // namespace sunder
