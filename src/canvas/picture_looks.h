#pragma once

#include "canvas/picture_style.h"
#include "canvas/picture_tables.h"

#include <span>
#include <unordered_map>
#include <vector>

namespace sunder {

/// A piece of the strip that divides an item among its tags.
struct StripPart {
    std::int32_t tag = PictureStyle::kUntagged; ///< index into tags, or kUntagged
    float share = 0;                            ///< of the item, > 0; all parts of an item add up to 1
    std::uint32_t ops = 0;
};

/// How one item looks, out of its nodes.
struct ItemLook {
    static constexpr std::int32_t kMixed = -3;

    std::int32_t tag = PictureStyle::kTakesNoTag; ///< of all its ops; kMixed, kUntagged or kTakesNoTag
    bool selected = false;     ///< every node is
    bool partSelected = false; ///< some are
    bool marked = false;
    bool found = false;
    bool counterpart = false;
    bool backward = false; ///< both ends of a backward edge lie in it, so that the edge itself is not seen
    std::uint32_t stripBegin = 0;
    std::uint32_t stripEnd = 0;
};

/// What a style means for each item and edge of a picture. Derived, cheap to make again: O(nodes of all items).
class PictureLooks final {
public:
    static constexpr std::uint32_t kNoMark = 0xffffffffU;

    /// A backward edge as it is drawn: along an edge of the picture, or straight where it has none.
    struct BackwardRoute {
        std::uint32_t mark = 0; ///< index into PictureStyle::backward
        ItemId from;
        ItemId to;
        BezierPath path;
    };

    PictureLooks() = default;
    PictureLooks(const Picture& picture, const PictureStyle& style) : PictureLooks(picture, PictureTables(picture), style) {}
    PictureLooks(const Picture& picture, const PictureTables& tables, const PictureStyle& style);

    [[nodiscard]] const ItemLook& operator[](ItemId item) const { return m_items[item.index()]; }
    [[nodiscard]] std::span<const StripPart> strip(ItemId item) const
    {
        const ItemLook& look = m_items[item.index()];
        return std::span(m_strips).subspan(look.stripBegin, look.stripEnd - look.stripBegin);
    }
    [[nodiscard]] std::span<const BackwardRoute> backward() const { return m_backward; }
    /// True for an edge of the picture that a backward route covers.
    [[nodiscard]] bool isBackward(std::uint32_t edge) const { return edge < m_edgeBackward.size() && m_edgeBackward[edge]; }

private:
    void addPlain(NodeId node, const PictureStyle& style);
    void addItem(std::span<const NodeId> nodes, const PictureStyle& style);
    void addStrip(std::span<const NodeId> nodes, const PictureStyle& style, const TagOps& all);
    void addBackward(const Picture& picture, const PictureTables& tables, const PictureStyle& style);

    std::vector<ItemLook> m_items;
    std::vector<StripPart> m_strips;
    std::vector<BackwardRoute> m_backward;
    std::vector<bool> m_edgeBackward;
    std::vector<TagOps> m_shares; ///< scratch: per tag, the last one untagged
};

/// The item that shows the node now: the innermost closed one; invalid when the picture does not have it.
ItemId itemOf(const Picture& picture, NodeId node);

} // namespace sunder
