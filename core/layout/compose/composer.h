#pragma once

#include "layout/compose/body_placer.h"
#include "layout/compose/column_routes.h"
#include "layout/compose/extent.h"
#include "layout/compose/title_ports.h"
#include "layout/picture/picture.h"

#include <unordered_map>
#include <vector>

namespace sunder::compose {

/// Input of a Composer.
struct Composition {
    const Graph& graph;
    const collapse::Collapsed& collapsed;
    const std::vector<collapse::Dependency>& dependencies;
    const Links& links;
    const TextWidth& textWidth;
    FlowDirection direction = FlowDirection::down;
};

/// x where edges cross a frame's border, from its left.
using PortPlaces = std::unordered_map<std::uint64_t, float>;

/// Places the items of one picture body by body, from the innermost outward, with one rule for columns. The layout always
/// assumes downward edges. For edges to the right, width and height of everything are swapped before and after, so that frame
/// titles are at the left during layout.
class Composer {
public:
    /// `items` correspond to the entries. Frames have a minimum width; all other items have their final sizes.
    Composer(const Composition& composition, BodyLayouts& layouts, ColumnRule rule, std::vector<Item>& items,
             ProgressMonitor& monitor);

    /// Sets the rect of every item, relative to its enclosing frame. Fails when canceled or like the engine.
    Result<void> run();

    /// Size of the whole picture after run(), for downward edges.
    [[nodiscard]] Size size() const { return m_size; }
    /// Per entry: its column within its body.
    [[nodiscard]] const std::vector<Index>& columnOf() const { return m_columnOf; }
    /// Makes the positions of items and chips absolute and draws the edges.
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
    std::vector<BezierPath> m_routes; ///< per link, relative to the top-left corner of the body's frame
    std::vector<float> m_axis;        ///< per frame entry: x of the main path, from the left of the frame
    std::vector<Index> m_columnOf;
    std::unordered_map<Index, BodyColumns> m_columns; ///< of bodies with several columns
    std::vector<bool> m_hasColumns; ///< per frame entry: contains columns at any depth
    Size m_size;
    double m_allBytes = 1;
    double m_allOps = 1;
    double m_allValueBytes = 1;
    std::vector<double> m_valueBytes; ///< per entry: bytes of its values
    PortPlaces m_entryPorts;
    PortPlaces m_exitPorts;
};

} // namespace sunder::compose
