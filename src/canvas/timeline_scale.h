#pragma once

#include "canvas/timeline_content.h"

#include <QRectF>

namespace sunder {

/// The places of the lanes and of the time axis of a timeline, in logical pixels of a view or picture. Lanes have the same height at
/// every zoom.
struct TimelineScale {
    static constexpr double kNames = 132; ///< width of the column of device names
    static constexpr double kAxis = 22;
    static constexpr double kCompute = 26;
    static constexpr double kTransfers = 9; ///< height of a row
    static constexpr double kLeastMemory = 18;
    static constexpr double kMostMemory = 72;

    double top = 0; ///< above the axis
    double perSecond = 1; ///< pixels
    double origin = 0; ///< time at the left edge of the lanes
    double scrolled = 0; ///< pixels that the lanes are scrolled up
    double memory = kMostMemory / 2; ///< height of a memory curve; 0: none
    bool hasTransfers = false;

    /// Returns the scale of a content whose lanes share a height; the memory curves grow and shrink with it.
    [[nodiscard]] static TimelineScale fitting(const TimelineContent& content, double height);

    [[nodiscard]] double x(double time) const { return kNames + (time - origin) * perSecond; }
    [[nodiscard]] double timeAt(double x) const { return origin + (x - kNames) / perSecond; }
    [[nodiscard]] double lanesTop() const { return top + kAxis; }
    [[nodiscard]] double laneHeight() const;
    [[nodiscard]] double laneTop(std::uint32_t rank) const { return lanesTop() + rank * laneHeight() - scrolled; }
    [[nodiscard]] double contentHeight(const TimelineContent& content) const
    {
        return lanesTop() + content.rankCount() * laneHeight();
    }

    /// A stretch from top to bottom.
    struct Band {
        double top = 0;
        double height = 0;
        [[nodiscard]] double bottom() const { return top + height; }
    };
    [[nodiscard]] Band band(std::uint32_t rank, TimelineRow row) const;
    [[nodiscard]] Band memoryBand(std::uint32_t rank) const;
    [[nodiscard]] QRectF rectOf(const TimelineContent& content, TimelinePlace place) const;
    /// Returns the rank of the lane at a height; nothing outside of lanes.
    [[nodiscard]] std::optional<std::uint32_t> rankAt(const TimelineContent& content, double y) const;
    /// Returns the action or transfer at a point; nowhere between them.
    [[nodiscard]] TimelinePlace placeAt(const TimelineContent& content, QPointF at) const;
};

} // namespace sunder
