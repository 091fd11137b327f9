#pragma once

#include "layout/compose/compose_plan.h"
#include "layout/layout_memory.h"

#include <optional>
#include <vector>

namespace sunder::compose {

/// Caches the layouts of the bodies of one picture; equal bodies are laid out once.
class BodyLayouts {
public:
    explicit BodyLayouts(const LayoutEngine& engine) : m_engine(engine) {}

    /// The result is valid until the next call. Fails like the engine.
    Result<const BoxLayout*> of(const BoxGraph& graph, ProgressMonitor& monitor);

private:
    const LayoutEngine& m_engine;
    LayoutMemory m_known;
};

/// Determines which bodies are divided into columns, as in a newspaper, and where the columns begin. By default, no body is.
struct ColumnRule {
    float height = 0; ///< column height for bodies that are much taller, in pixels at 100%; 0: no columns
    const std::vector<bool>* starts = nullptr;    ///< per entry: its row begins a column
    const std::vector<Index>* columnOf = nullptr; ///< per entry: its known column
};

/// Positions of the children and links of one body.
struct PlacedBody {
    std::vector<Point> centers;     ///< per child
    std::vector<BezierPath> routes; ///< per link; empty if it connects different columns
    std::vector<Index> columnOf;    ///< per child
    std::vector<float> gaps = {};   ///< x in the middle of the gap after each column except the last
    std::optional<float> mainPort;  ///< x of the port where the main path enters, else where it leaves
    bool comesIn = false;
};

/// Lays out bodies, in columns if the rule requires them.
class BodyPlacer {
public:
    BodyPlacer(BodyLayouts& layouts, ColumnRule rule) : m_layouts(layouts), m_rule(rule) {}

    /// Fails like the engine. O(children + links) for any number of columns, plus the time of the engine.
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
