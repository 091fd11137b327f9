#pragma once

#include "canvas/picture_style.h"
#include "layout/picture/picture_tables.h"

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
    bool noted = false; ///< and not marked
    bool found = false;
    bool counterpart = false;
    bool backward = false; ///< both ends of a backward edge lie in it, so that the edge itself is not seen

    /// It has a ring, because of what is selected, hovered or searched for here or in another pane.
    [[nodiscard]] bool isRinged() const { return selected || partSelected || found || counterpart; }
};

/// What a style means for each item and edge of a picture. Nothing is reckoned before it is asked for, so that a change of
/// style costs what is in view: a node is looked up each time, what stands for several is added up once, O(its nodes).
/// Made in O(items / 16 + backward edges). Picture, tables and style outlive it and stay as they are.
class PictureLooks final {
public:
    /// A backward edge as it is drawn: along an edge of the picture, or straight where it has none.
    struct BackwardRoute {
        std::uint32_t mark = 0; ///< index into PictureStyle::backward
        ItemId from;
        ItemId to;
        BezierPath path;
    };

    PictureLooks(const Picture& picture, const PictureTables& tables, const PictureStyle& style);

    [[nodiscard]] ItemLook operator[](ItemId item) const;
    /// The tags of an item and their shares; empty where it has no op. Valid until the next call.
    [[nodiscard]] std::span<const StripPart> strip(ItemId item) const;
    [[nodiscard]] std::span<const BackwardRoute> backward() const { return m_backward; }
    /// True for an edge of the picture that a backward route covers.
    [[nodiscard]] bool isBackward(std::uint32_t edge) const { return edge < m_edgeBackward.size() && m_edgeBackward[edge]; }

private:
    /// What an item that stands for several ops adds up to.
    struct Sum {
        ItemLook look;
        std::uint32_t stripBegin = 0;
        std::uint32_t stripEnd = 0;
    };
    static constexpr std::uint32_t kNotSummed = 0xffffffffU;

    /// The node, where an item is no more than one that has a tag of its own.
    [[nodiscard]] NodeId singleNode(ItemId item) const;
    [[nodiscard]] ItemLook lookOf(NodeId node) const;
    [[nodiscard]] const Sum& sumOf(ItemId item) const;
    [[nodiscard]] Sum add(std::span<const NodeId> nodes) const;
    void addStrip(std::span<const NodeId> nodes, const TagOps& all) const;
    void addBackward(const Picture& picture);

    const PictureTables* m_tables;
    const PictureStyle* m_style;
    std::vector<StripPart> m_whole; ///< per tag, the last one untagged: the strip of a single op
    std::vector<BackwardRoute> m_backward;
    std::vector<bool> m_edgeBackward;
    std::vector<ItemId> m_turnedInside; ///< ascending: items that hold both ends of a backward edge
    mutable std::vector<std::uint32_t> m_sumOf; ///< per item: index into m_sums, or kNotSummed
    mutable std::vector<Sum> m_sums;
    mutable std::vector<StripPart> m_strips;
    mutable std::vector<TagOps> m_shares; ///< scratch: per tag, the last one untagged
};

/// The item that shows the node now: the innermost closed one; invalid when the picture does not have it.
ItemId itemOf(const Picture& picture, NodeId node);

} // namespace sunder
