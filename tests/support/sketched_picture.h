#pragma once

#include "layout/picture/picture.h"

#include <algorithm>
#include <initializer_list>
#include <string>
#include <utility>
#include <vector>

namespace sunder::test {

/// Adds items and edges to a picture and gives each op the next node id.
class Sketch {
public:
    ItemId frame(Rect rect, std::string title, std::string cls, std::string detail)
    {
        Item item{.kind = ItemKind::frame,
                  .rect = rect,
                  .title = std::move(title),
                  .subtitle = std::move(cls),
                  .detail = std::move(detail)};
        item.key = item.title;
        item.canOpen = true;
        return add(std::move(item));
    }
    ItemId op(Rect rect, ItemId parent, std::string title, std::string name, std::string shape)
    {
        Item item{.kind = ItemKind::node,
                  .rect = rect,
                  .parent = parent,
                  .title = std::move(title),
                  .subtitle = std::move(name),
                  .detail = std::move(shape)};
        item.node = NodeId(m_nextNode);
        return addWithNodes(std::move(item), 1);
    }
    ItemId module(Rect rect, std::string title, std::string cls, std::string detail, std::uint32_t nodes,
                  std::uint32_t copies = 1)
    {
        Item item{.kind = copies > 1 ? ItemKind::run : ItemKind::module,
                  .rect = rect,
                  .title = std::move(title),
                  .subtitle = std::move(cls),
                  .detail = std::move(detail)};
        item.key = item.title;
        item.canOpen = true;
        item.copies = copies;
        return addWithNodes(std::move(item), nodes);
    }
    void edge(ItemId from, ItemId to)
    {
        const Rect& a = m_picture.items[from.index()].rect;
        const Rect& b = m_picture.items[to.index()].rect;
        const Point start{a.center().x, a.bottom()};
        const Point end{b.center().x, b.y};
        const float bend = std::max(6.F, (end.y - start.y) * 0.45F);
        m_picture.edges.push_back({.from = from,
                                   .to = to,
                                   .path = {start, {start.x, start.y + bend}, {end.x, end.y - bend}, end},
                                   .values = {m_picture.items[from.index()].nodes.back()},
                                   .bytes = 1024});
    }
    Item& item(ItemId id) { return m_picture.items[id.index()]; }
    Picture finish(Size size)
    {
        m_picture.size = size;
        m_picture.itemOf.assign(m_nextNode, ItemId());
        for (std::uint32_t i = 0; i < m_picture.items.size(); ++i)
            if (m_picture.items[i].kind != ItemKind::frame)
                for (const NodeId node : m_picture.items[i].nodes)
                    m_picture.itemOf[node.index()] = ItemId(i);
        return std::move(m_picture);
    }

private:
    ItemId addWithNodes(Item item, std::uint32_t count)
    {
        for (std::uint32_t i = 0; i < count; ++i)
            item.nodes.emplace_back(m_nextNode++);
        item.opCount = count;
        for (ItemId up = item.parent; up; up = m_picture.items[up.index()].parent) {
            Item& frame = m_picture.items[up.index()];
            frame.nodes.insert(frame.nodes.end(), item.nodes.begin(), item.nodes.end());
            frame.opCount += count;
        }
        return add(std::move(item));
    }
    ItemId add(Item item)
    {
        if (item.parent)
            item.depth = m_picture.items[item.parent.index()].depth + 1;
        m_picture.items.push_back(std::move(item));
        return ItemId(m_picture.items.size() - 1);
    }

    Picture m_picture;
    std::uint32_t m_nextNode = 0;
};

/// A hand-made picture like look-light.png: an embedding, a run, an open layer with ops, and two more boxes; 25 nodes in graph
/// order, one chip, and thirteen edges.
inline Picture layerPicture()
{
    Sketch s;
    const ItemId embed = s.module({132, 24, 190, 42}, "embed_tokens", "Embedding", "1 op · 0.5 GB", 1);
    const ItemId front = s.module({132, 88, 190, 42}, "layers.0 … layers.14", "DecoderLayer ×15", "960 ops · 13.2 GB", 8, 15);
    const ItemId layer = s.frame({20, 156, 430, 350}, "layers.15", "DecoderLayer", "64 ops · 0.9 GB");
    const ItemId norm = s.op({157, 182, 142, 34}, layer, "RMSNorm", "input_layernorm", "1×s×16");
    s.item(norm).note = "↗ 3 users";
    const ItemId q = s.op({32, 236, 128, 34}, layer, "linear", "q_proj", "1×s×16");
    const ItemId k = s.op({172, 236, 128, 34}, layer, "linear", "k_proj", "1×s×8");
    const ItemId v = s.op({312, 236, 128, 34}, layer, "linear", "v_proj", "1×s×8");
    const ItemId scores = s.op({88, 292, 150, 34}, layer, "matmul", "scores", "1×4×s×s");
    s.item(scores).chips.push_back({.rect = {246, 301, 42, 16}, .text = "mask", .value = NodeId(0U)});
    const ItemId softmax = s.op({88, 346, 150, 34}, layer, "softmax", "softmax_15", "1×4×s×s");
    const ItemId context = s.op({154, 400, 150, 34}, layer, "matmul", "matmul_31", "1×4×s×4");
    const ItemId out = s.op({154, 454, 150, 34}, layer, "linear", "o_proj", "1×s×16");
    const ItemId back = s.module({132, 532, 190, 42}, "layers.16 … layers.31", "DecoderLayer ×16", "1,024 ops · 14.1 GB", 6, 16);
    const ItemId head = s.module({132, 600, 190, 42}, "norm · lm_head", "RMSNorm, Linear", "6 ops · 0.5 GB", 2);
    // clang-format off
    for (const auto& [from, to] : std::initializer_list<std::pair<ItemId, ItemId>>{
             {embed, front}, {front, norm}, {norm, q}, {norm, k}, {norm, v}, {q, scores}, {k, scores},
             {scores, softmax}, {softmax, context}, {v, context}, {context, out}, {out, back}, {back, head}})
    // clang-format on
        s.edge(from, to);
    return s.finish({470, 666});
}

/// A ladder for performance tests: `count` closed op items in rows of `columns`, each row wired to the next, in frames of a
/// hundred rows.
inline Picture ladderPicture(std::uint32_t count, std::uint32_t columns)
{
    Sketch s;
    const std::uint32_t rows = (count + columns - 1) / columns;
    constexpr std::uint32_t kRowsAFrame = 100;
    std::vector<ItemId> previous;
    ItemId frame;
    for (std::uint32_t row = 0; row < rows; ++row) {
        const float y = static_cast<float>(row) * 60;
        if (row % kRowsAFrame == 0)
            frame = s.frame({4, y, static_cast<float>(columns) * 170 + 12, 60.F * kRowsAFrame - 14},
                            "layers." + std::to_string(row / kRowsAFrame), "Block", "");
        std::vector<ItemId> items;
        for (std::uint32_t column = 0; column < columns && row * columns + column < count; ++column) {
            const std::string number = std::to_string(row * columns + column);
            items.push_back(s.op({16 + static_cast<float>(column) * 170, y + 18, 150, 34}, frame, "linear", "linear_" + number,
                                 "1×128×4096"));
            if (column < previous.size())
                s.edge(previous[column], items.back());
            if (column == 0 && columns > 1 && previous.size() > 1)
                s.edge(previous[1], items.back());
        }
        previous = std::move(items);
    }
    return s.finish({static_cast<float>(columns) * 170 + 20, static_cast<float>(rows) * 60 + 8});
}

} // namespace sunder::test
