#pragma once

#include "layout/compose/body_placer.h"
#include "layout/compose/column_routes.h"
#include "layout/compose/extent.h"
#include "layout/compose/title_ports.h"
#include "layout/picture/picture.h"

#include <unordered_map>
#include <vector>

namespace sunder::compose {

/// What is placed.
struct Composition {
    const Graph& graph;
    const collapse::Collapsed& collapsed;
    const std::vector<collapse::Dependency>& dependencies;
    const Links& links;
    const TextWidth& textWidth;
    FlowDirection direction = FlowDirection::down;
};

/// Where the edges cross a frame's border, from its left.
using PortPlaces = std::unordered_map<std::uint64_t, float>;

/// Places the items of one picture, body by body from the inside out, under one rule for columns. All of it is done as if
/// edges flowed downwards: where they flow to the right, width and height of all there is are exchanged before and after,
/// and titles of frames stand at the left meanwhile.
class Composer {
public:
    /// `items` correspond to the entries; those that are no frames have their sizes, frames the least width.
    Composer(const Composition& composition, BodyLayouts& layouts, ColumnRule rule, std::vector<Item>& items,
             ProgressMonitor& monitor);

    /// Gives every item its rect, relative to the frame around it. Fails when cancelled or as the engine does.
    Result<void> run();

    /// Of the whole picture, once it ran; as if edges flowed downwards.
    [[nodiscard]] Size size() const { return m_size; }
    /// Per entry the column of its body that it stands in.
    [[nodiscard]] const std::vector<Index>& columnOf() const { return m_columnOf; }
    /// Makes the places of items and chips absolute and draws the edges.
    [[nodiscard]] std::vector<PictureEdge> finish(const std::vector<bool>& isCut);

private:
    [[nodiscard]] const std::vector<Index>& childrenOf(Index body) const;
    Result<void> placeBody(Index body, ProgressMonitor& monitor);
    [[nodiscard]] double workOf(Index entry) const;
    [[nodiscard]] BoxGraph::Box boxOf(Index entry) const;
    [[nodiscard]] float exitAside(Index entry, std::span<const Link> links) const;
    void noteValues();
    void settle(Index body, const PlacedBody& placed, const std::vector<ChildBox>& children);
    Point placePicture(const Extent& extent);
    [[nodiscard]] bool isRight() const { return m_of.direction == FlowDirection::right; }
    void exchangeAxes(std::vector<PictureEdge>& edges);
    Point placeFrame(Index frame, const PlacedBody& placed, const Extent& extent);
    Point placeFrameToTheRight(Index frame, const PlacedBody& placed, const Extent& extent);
    [[nodiscard]] float titleEnd(const Item& frame) const;
    [[nodiscard]] float titleRest(const Item& frame) const;
    [[nodiscard]] TitlePorts titlePorts(Index body, const PlacedBody& placed) const;
    BezierPath routeOf(Index body, const Link& link, const BezierPath& engineRoute, Point origin, const Extent& extent);
    [[nodiscard]] float portAt(const PortPlaces& ports, Index frame, Index producer) const;
    [[nodiscard]] BezierPath columnRouteOf(const Link& link) const;
    void makeAbsolute();
    void placeChipsAbsolutely();
    [[nodiscard]] float chipRoom(const Item& item) const;

    const Composition& m_of;
    BodyPlacer m_placer;
    std::vector<Item>& m_items;
    ProgressMonitor& m_monitor;
    std::vector<BezierPath> m_routes; ///< per link, from the upper left corner of the body's frame
    std::vector<float> m_axis;        ///< per entry of a frame: where the main path runs, from its left
    std::vector<Index> m_columnOf;
    std::unordered_map<Index, BodyColumns> m_columns; ///< of bodies that are set in several
    std::vector<bool> m_hasColumns; ///< per entry of a frame: what it holds is set in columns
    Size m_size;
    double m_allBytes = 1;
    double m_allOps = 1;
    double m_allValueBytes = 1;
    std::vector<double> m_valueBytes; ///< per entry: of the values that it makes
    PortPlaces m_entryPorts;
    PortPlaces m_exitPorts;
};

} // namespace sunder::compose
