#pragma once

#include "layout/compose/body_layouts.h"
#include "layout/compose/compose_plan.h"

#include <optional>
#include <vector>

namespace sunder::compose {

/// Which bodies are set in columns, like a newspaper, and where these begin. Without anything set: none is.
struct ColumnRule {
    float height = 0; ///< bodies that are much higher are divided into columns of this height, pixels at 100 %; 0: none
    const std::vector<bool>* starts = nullptr;    ///< per entry: a column begins with the row that it stands in
    const std::vector<Index>* columnOf = nullptr; ///< per entry: its column, known from before
};

/// Where the children and links of one body lie.
struct PlacedBody {
    std::vector<Point> centers;     ///< per child
    std::vector<BezierPath> routes; ///< per link; empty where it leads from one column into another
    std::vector<Index> columnOf;    ///< per child
    std::vector<float> gaps = {};   ///< x in the middle of the gap behind each column but the last
    std::optional<float> mainPort;  ///< x of the port through which the main path comes in, else goes out
    bool comesIn = false;
};

/// Lays out bodies, in columns where the rule wants it.
class BodyPlacer {
public:
    BodyPlacer(BodyLayouts& layouts, ColumnRule rule) : m_layouts(layouts), m_rule(rule) {}

    /// Errors as those of the engine. O(children + links) for any number of columns, plus the time of the engine.
    Result<PlacedBody> place(const std::vector<ChildBox>& children, std::span<const Link> links, ProgressMonitor& monitor);

private:
    Result<PlacedBody> placeColumn(const std::vector<ChildBox>& children, std::span<const Link> links, ProgressMonitor& monitor);
    [[nodiscard]] std::vector<Index> columnsOf(const std::vector<ChildBox>& children, std::span<const Link> links,
                                               const PlacedBody& whole) const;
    Result<PlacedBody> placeColumns(const std::vector<ChildBox>& children, std::span<const Link> links,
                                    std::vector<Index> columnOf, ProgressMonitor& monitor);

    BodyLayouts& m_layouts;
    ColumnRule m_rule;
};

} // namespace sunder::compose
