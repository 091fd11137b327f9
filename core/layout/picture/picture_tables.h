#pragma once

#include "layout/picture/picture.h"

#include <cstdint>
#include <span>
#include <vector>

namespace sunder {

/// Properties of a picture's items as flat tables, so that lookups among a million items do not access the items themselves.
/// Built in O(items + edges) plus sorting of frames.
class PictureTables final {
public:
    PictureTables() = default;
    explicit PictureTables(const Picture& picture);

    [[nodiscard]] std::size_t size() const { return m_nodes.begin.empty() ? 0 : m_nodes.begin.size() - 1; }
    [[nodiscard]] const Rect& rectOf(ItemId id) const { return m_rects[id.index()]; }
    [[nodiscard]] bool isFrame(ItemId id) const { return m_frames[id.index()] != 0; }
    /// Frames in descending order of size.
    [[nodiscard]] std::span<const ItemId> framesBySize() const { return m_framesBySize; }
    /// Nodes that the item shows.
    [[nodiscard]] std::span<const NodeId> nodesOf(ItemId id) const { return m_nodes.of(id); }
    /// Indices of edges that end or begin at an item, ascending.
    [[nodiscard]] std::span<const std::uint32_t> edgesInto(ItemId id) const { return m_into.of(id); }
    [[nodiscard]] std::span<const std::uint32_t> edgesFrom(ItemId id) const { return m_from.of(id); }

private:
    /// A sequence of values per item.
    template <typename T>
    struct Runs {
        std::vector<std::uint32_t> begin;
        std::vector<T> values;
        [[nodiscard]] std::span<const T> of(ItemId id) const
        {
            return std::span(values).subspan(begin[id.index()], begin[id.index() + 1] - begin[id.index()]);
        }
    };
    static Runs<std::uint32_t> edgesBy(const Picture& picture, ItemId PictureEdge::* end);

    std::vector<Rect> m_rects;
    std::vector<std::uint8_t> m_frames;
    std::vector<ItemId> m_framesBySize;
    Runs<NodeId> m_nodes;
    Runs<std::uint32_t> m_into;
    Runs<std::uint32_t> m_from;
};

} // namespace sunder
