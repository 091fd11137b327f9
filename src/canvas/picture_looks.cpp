#include "canvas/picture_looks.h"

#include <algorithm>
#include <cmath>

namespace sunder {
namespace {

std::uint64_t pairKey(ItemId from, ItemId to)
{
    return (std::uint64_t{from.index()} << 32) | to.index();
}

/// From the lower side of a box to the upper side of another, as layouts draw edges.
BezierPath directRoute(const Rect& from, const Rect& to)
{
    const Point start{from.center().x, from.bottom()};
    const Point end{to.center().x, to.y};
    const float bend = std::max(24.F, std::abs(end.y - start.y) * 0.4F);
    return {start, {start.x, start.y + bend}, {end.x, end.y - bend}, end};
}

} // namespace

ItemId itemOf(const Picture& picture, NodeId node)
{
    return node.isValid() && node.index() < picture.itemOf.size() ? picture.itemOf[node.index()] : ItemId();
}

PictureLooks::PictureLooks(const Picture& picture, const PictureStyle& style)
{
    m_items.reserve(picture.items.size());
    m_weights.assign(style.tags.size() + 1, 0);
    for (const Item& item : picture.items)
        addItem(item, style);
    addBackward(picture, style);
}

void PictureLooks::addItem(const Item& item, const PictureStyle& style)
{
    ItemLook look;
    std::size_t selected = 0;
    std::size_t ops = 0;
    double bytes = 0;
    std::int32_t firstTag = PictureStyle::kTakesNoTag;
    for (const NodeId node : item.nodes) {
        selected += style.selected.contains(node) ? 1 : 0;
        look.marked = look.marked || style.marked.contains(node);
        look.found = look.found || style.found.contains(node);
        look.counterpart = look.counterpart || style.counterparts.contains(node);
        const std::int32_t tag = style.tag(node);
        if (tag == PictureStyle::kTakesNoTag)
            continue;
        ++ops;
        bytes += node.index() < style.nodeBytes.size() ? static_cast<double>(style.nodeBytes[node.index()]) : 0;
        firstTag = ops == 1 ? tag : (firstTag == tag ? tag : ItemLook::kMixed);
    }
    look.tag = firstTag;
    look.selected = selected > 0 && selected == item.nodes.size();
    look.partSelected = selected > 0 && !look.selected;
    look.stripBegin = static_cast<std::uint32_t>(m_strips.size());
    if (firstTag != ItemLook::kMixed) {
        if (ops > 0)
            m_strips.push_back({firstTag, 1});
    } else {
        std::fill(m_weights.begin(), m_weights.end(), 0);
        // Ops without bytes keep a small weight, so that a tag never vanishes from the strip.
        const double perOp = bytes > 0 ? 0.05 / static_cast<double>(ops) : 1;
        double total = 0;
        for (const NodeId node : item.nodes) {
            const std::int32_t tag = style.tag(node);
            if (tag == PictureStyle::kTakesNoTag)
                continue;
            const bool known = tag >= 0 && static_cast<std::size_t>(tag) + 1 < m_weights.size();
            double weight = perOp;
            if (bytes > 0 && node.index() < style.nodeBytes.size())
                weight += static_cast<double>(style.nodeBytes[node.index()]) / bytes;
            m_weights[known ? static_cast<std::size_t>(tag) : m_weights.size() - 1] += weight;
            total += weight;
        }
        for (std::size_t i = 0; i < m_weights.size(); ++i)
            if (m_weights[i] > 0)
                m_strips.push_back({i + 1 == m_weights.size() ? PictureStyle::kUntagged : static_cast<std::int32_t>(i),
                                    static_cast<float>(m_weights[i] / total)});
    }
    look.stripEnd = static_cast<std::uint32_t>(m_strips.size());
    m_items.push_back(look);
}

void PictureLooks::addBackward(const Picture& picture, const PictureStyle& style)
{
    if (style.backward.empty())
        return;
    m_edgeBackward.assign(picture.edges.size(), false);
    std::unordered_map<std::uint64_t, std::uint32_t> edgeOf;
    for (std::uint32_t i = 0; i < picture.edges.size(); ++i)
        edgeOf.emplace(pairKey(picture.edges[i].from, picture.edges[i].to), i);
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
        const auto found = edgeOf.find(pairKey(from, to));
        const bool routed = found != edgeOf.end() && picture.edges[found->second].path.size() >= 4;
        if (routed)
            m_edgeBackward[found->second] = true;
        m_backward.push_back({i, from, to,
                              routed ? picture.edges[found->second].path
                                     : directRoute(picture.items[from.index()].rect, picture.items[to.index()].rect)});
    }
}

} // namespace sunder
