#pragma once

#include "canvas/picture_style.h"
#include "layout/picture/picture_index.h"

#include <span>
#include <unordered_map>
#include <vector>

namespace sunder {

/// A segment of the strip that shows an item's tags.
struct StripPart {
    std::int32_t tag = PictureStyle::kUntagged; ///< index into tags, or kUntagged
    float share = 0;                            ///< fraction of the item, > 0; the shares of an item add up to 1
    std::uint32_t ops = 0;
};

/// The look of an item, derived from its nodes.
struct ItemLook {
    static constexpr std::int32_t kMixed = -3;

    std::int32_t tag = PictureStyle::kTakesNoTag; ///< common tag of its ops, kMixed, kUntagged, or kTakesNoTag
    CostFigure cost = {};      ///< sum over its nodes, if the style has costs
    bool selected = false;     ///< every node is selected
    bool partSelected = false; ///< some nodes are selected
    bool marked = false;
    bool noted = false; ///< and not marked
    bool found = false;
    bool counterpart = false;
    bool backward = false; ///< contains both ends of a backward edge, which is therefore not visible

    /// Returns whether it has a ring, because it is selected, hovered, or found in this or another pane.
    [[nodiscard]] bool isRinged() const { return selected || partSelected || found || counterpart; }
};

/// The effects of a style on the items and edges of a picture. Everything is computed on demand, so that the cost of a style
/// change depends on the visible part: single nodes are looked up each time, sums over several nodes are cached, O(their nodes).
/// Construction: O(items / 16 + backward edges). Picture, tables, and style must outlive it and not change.
class PictureLooks final {
public:
    /// The drawn route of a backward edge: along an edge of the picture, or straight if there is none.
    struct BackwardRoute {
        std::uint32_t mark = 0; ///< index into PictureStyle::backward
        ItemId from;
        ItemId to;
        BezierPath path;
    };

    PictureLooks(const Picture& picture, const PictureTables& tables, const PictureStyle& style);

    [[nodiscard]] ItemLook operator[](ItemId item) const;
    /// Returns the tags of an item and their shares; empty if it contains no ops. Valid until the next call.
    [[nodiscard]] std::span<const StripPart> strip(ItemId item) const;
    [[nodiscard]] std::span<const BackwardRoute> backward() const { return m_backward; }
    /// Returns whether a backward route covers an edge of the picture.
    [[nodiscard]] bool isBackward(std::uint32_t edge) const { return edge < m_edgeBackward.size() && m_edgeBackward[edge]; }

private:
    /// The sum over an item with several ops.
    struct Sum {
        ItemLook look;
        std::uint32_t stripBegin = 0;
        std::uint32_t stripEnd = 0;
    };
    static constexpr std::uint32_t kNotSummed = 0xffffffffU;

    /// Returns the node of an item that is a single node with its own tag.
    [[nodiscard]] NodeId singleNode(ItemId item) const;
    [[nodiscard]] ItemLook lookOf(NodeId node) const;
    [[nodiscard]] const Sum& sumOf(ItemId item) const;
    [[nodiscard]] Sum add(std::span<const NodeId> nodes) const;
    void addStrip(std::span<const NodeId> nodes, const TagOps& all) const;
    void addBackward(const Picture& picture);

    const PictureTables* m_tables;
    const PictureStyle* m_style;
    std::vector<StripPart> m_whole; ///< strips of single ops: per tag, the last one untagged
    std::vector<BackwardRoute> m_backward;
    std::vector<bool> m_edgeBackward;
    std::vector<ItemId> m_turnedInside; ///< ascending: items that contain both ends of a backward edge
    mutable std::vector<std::uint32_t> m_sumOf; ///< per item: index into m_sums, or kNotSummed
    mutable std::vector<Sum> m_sums;
    mutable std::vector<StripPart> m_strips;
    mutable std::vector<TagOps> m_shares; ///< scratch: per tag, the last one untagged
};

/// Returns the innermost closed item that shows the node; invalid if the picture does not contain it.
ItemId itemOf(const Picture& picture, NodeId node);

} // namespace sunder
