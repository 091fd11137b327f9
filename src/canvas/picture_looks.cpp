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

/// The first edge from one item to another; looks at the edges of the one that has fewer.
std::optional<std::uint32_t> edgeBetween(const Picture& picture, const PictureTables& tables, ItemId from, ItemId to)
{
    const std::span<const std::uint32_t> out = tables.edgesFrom(from);
    const std::span<const std::uint32_t> in = tables.edgesInto(to);
    for (const std::uint32_t edge : out.size() < in.size() ? out : in)
        if (picture.edges[edge].from == from && picture.edges[edge].to == to)
            return edge;
    return std::nullopt;
}

/// From the lower side of a box to the upper side of another, as layouts draw edges.
BezierPath directRoute(const Rect& from, const Rect& to)
{
    const Point start{from.center().x, from.bottom()};
    const Point end{to.center().x, to.y};
    const float bend = std::max(24.F, std::abs(end.y - start.y) * 0.4F);
    return {start, {start.x, start.y + bend}, {end.x, end.y - bend}, end};
}

/// The ops that a node stands for, by tag: itself, or those that a call runs.
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
{
    m_items.reserve(tables.size());
    m_strips.reserve(tables.size());
    m_shares.resize(style.tags.size() + 1);
    const bool isPlain = style.within.empty() && style.selected.empty() && style.marked.empty() && style.found.empty() && style.counterparts.empty();
    for (std::uint32_t item = 0; item < tables.size(); ++item)
        if (const std::span<const NodeId> nodes = tables.nodesOf(ItemId(item)); isPlain && nodes.size() == 1)
            addPlain(nodes.front(), style);
        else
            addItem(nodes, style);
    addBackward(picture, tables, style);
}

/// An op of which a style says no more than its tag: most items of a flat picture, most of the time.
void PictureLooks::addPlain(NodeId node, const PictureStyle& style)
{
    const std::int32_t tag = style.tag(node);
    const auto strip = static_cast<std::uint32_t>(m_strips.size());
    const bool takesTag = tag != PictureStyle::kTakesNoTag;
    m_items.push_back({.tag = tag, .stripBegin = strip, .stripEnd = strip + (takesTag ? 1U : 0U)});
    if (takesTag)
        m_strips.push_back({tag, 1, 1});
}

void PictureLooks::addItem(std::span<const NodeId> nodes, const PictureStyle& style)
{
    ItemLook look;
    std::size_t selected = 0;
    TagOps all{.tag = PictureStyle::kTakesNoTag};
    for (const NodeId node : nodes) {
        selected += style.selected.contains(node) ? 1 : 0;
        look.marked = look.marked || style.marked.contains(node);
        look.found = look.found || style.found.contains(node);
        look.counterpart = look.counterpart || style.counterparts.contains(node);
        forTags(style, node, [&all](const TagOps& share) {
            all.tag = all.ops == 0 || all.tag == share.tag ? share.tag : ItemLook::kMixed;
            all.ops += share.ops;
            all.bytes += share.bytes;
        });
    }
    look.tag = all.tag;
    look.selected = selected > 0 && selected == nodes.size();
    look.partSelected = selected > 0 && !look.selected;
    look.stripBegin = static_cast<std::uint32_t>(m_strips.size());
    if (all.tag == ItemLook::kMixed)
        addStrip(nodes, style, all);
    else if (all.ops > 0)
        m_strips.push_back({all.tag, 1, all.ops});
    look.stripEnd = static_cast<std::uint32_t>(m_strips.size());
    m_items.push_back(look);
}

void PictureLooks::addStrip(std::span<const NodeId> nodes, const PictureStyle& style, const TagOps& all)
{
    std::fill(m_shares.begin(), m_shares.end(), TagOps());
    for (const NodeId node : nodes)
        forTags(style, node, [this](const TagOps& share) {
            const bool known = share.tag >= 0 && static_cast<std::size_t>(share.tag) + 1 < m_shares.size();
            TagOps& sum = known ? m_shares[static_cast<std::size_t>(share.tag)] : m_shares.back();
            sum.ops += share.ops;
            sum.bytes += share.bytes;
        });
    // Ops without bytes keep a small weight, so that a tag never vanishes from the strip.
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

void PictureLooks::addBackward(const Picture& picture, const PictureTables& tables, const PictureStyle& style)
{
    if (style.backward.empty())
        return;
    m_edgeBackward.assign(picture.edges.size(), false);
    std::unordered_map<std::uint64_t, bool> drawn;
    for (std::uint32_t i = 0; i < style.backward.size(); ++i) {
        const ItemId from = itemOf(picture, style.backward[i].producer);
        const ItemId to = itemOf(picture, style.backward[i].consumer);
        if (!from || !to)
            continue;
        if (from == to) {
            m_items[from.index()].backward = true;
            continue;
        }
        if (!drawn.emplace(pairKey(from, to), true).second)
            continue;
        const std::optional<std::uint32_t> edge = edgeBetween(picture, tables, from, to);
        const bool routed = edge && picture.edges[*edge].path.size() >= 4;
        if (routed)
            m_edgeBackward[*edge] = true;
        m_backward.push_back({i, from, to,
                              routed ? picture.edges[*edge].path
                                     : directRoute(picture.items[from.index()].rect, picture.items[to.index()].rect)});
    }
}

} // namespace sunder
