#pragma once

#include "analysis/cost/node_costs.h"
#include "analysis/cost/node_seconds.h"
#include "ir/program.h"

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace sunder {

enum class CostUnit : std::uint8_t { flop, byte, second, number };

/// A figure of one node, or the sum over several.
struct CostFigure {
    double value = 0;
    std::uint32_t known = 0;     ///< nodes with a value
    std::uint32_t uncounted = 0; ///< calls without a formula; they are not among `known`
    std::uint32_t unknown = 0;   ///< other calls without a value

    [[nodiscard]] bool isKnown() const { return known > 0; }
    /// Returns whether there is nothing to say, e.g. about inputs.
    [[nodiscard]] bool isEmpty() const { return known + uncounted + unknown == 0; }
    void add(const CostFigure& other);
};

/// A figure per node of a root graph, for pictures, lists, and tables.
struct CostFigures {
    std::string name; ///< "FLOPs"
    CostUnit unit = CostUnit::number;
    std::vector<CostFigure> nodes = {}; ///< per NodeId; nodes that are not calls usually have none
    CostFigure total = {};
    double smallest = 0; ///< of a single node; positive, unless `hasNegative`; 0 without such nodes
    double largest = 0;  ///< likewise
    bool hasNegative = false;

    [[nodiscard]] CostFigure of(NodeId id) const { return id.index() < nodes.size() ? nodes[id.index()] : CostFigure(); }
    /// Returns the sum over these nodes.
    [[nodiscard]] CostFigure sum(std::span<const NodeId> ids) const;
};

using CostFiguresPtr = std::shared_ptr<const CostFigures>;

/// Returns the floating-point operations of each call. O(nodes), as the functions below.
CostFigures flopFigures(const Program& program, const ProgramCosts& costs);
/// Returns the bytes that each call reads and writes.
CostFigures byteFigures(const Program& program, const ProgramCosts& costs);
/// Returns the seconds of each node.
CostFigures secondFigures(const Program& program, const ProgramSeconds& seconds);

/// Returns any numbers, given per NodeId.
CostFigures numberFigures(const Program& program, std::string name, std::span<const std::optional<double>> numbers);

/// Maps figures to a scale from 0 to 1. It is logarithmic and spans at most five decades below the total of the model; with
/// negative values, linear.
struct CostScale {
    double low = 0;
    double high = 0;
    bool isLogarithmic = true;
    bool isCut = false; ///< smaller positive values exist, and are at 0

    /// Returns the place of a value; values beyond the ends are at the ends.
    [[nodiscard]] double at(double value) const;
};

CostScale scaleOf(const CostFigures& figures);

/// Formats a figure for people: "1.2 GFLOP", "3.4 MB", "12.5 µs", "0.25".
std::string costText(CostUnit unit, double value);

/// Describes a figure: "1.2 GFLOP", "1.2 GFLOP, 3 ops not counted", "not counted", "no value"; nothing for an empty one.
std::string describe(const CostFigures& figures, const CostFigure& figure);

/// Formats the share of the total: "3.1%", "<0.1%"; nothing if a share is not meaningful.
std::string costShareText(const CostFigures& figures, const CostFigure& figure);

} // namespace sunder
