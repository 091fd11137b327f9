#include "analysis/cost/cost_figures.h"

#include "support/format.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>
#include <span>
#include <string_view>

namespace sunder {
namespace {

constexpr double kDecades = 1e5; ///< length of a logarithmic scale

std::string formatted(const char* pattern, double value)
{
    std::array<char, 48> text{};
    std::snprintf(text.data(), text.size(), pattern, value);
    return text.data();
}

/// Formats with the largest of the units that keeps the number at 1 or more; each is 1000 times the previous one.
std::string inUnits(double value, std::span<const std::string_view> units)
{
    std::size_t unit = 0;
    for (; std::abs(value) >= 999.95 && unit + 1 < units.size(); ++unit)
        value /= 1000;
    return formatted(value == std::floor(value) && std::abs(value) < 1000 && unit == 0 ? "%.0f " : "%.1f ", value)
        + std::string(units[unit]);
}

/// Fills in the sums of figures whose nodes are set.
CostFigures summed(CostFigures figures)
{
    bool isFirst = true;
    for (const CostFigure& figure : figures.nodes) {
        figures.total.add(figure);
        figures.hasNegative = figures.hasNegative || (figure.isKnown() && figure.value < 0);
    }
    for (const CostFigure& figure : figures.nodes) {
        if (!figure.isKnown() || (figure.value <= 0 && !figures.hasNegative))
            continue;
        figures.smallest = isFirst ? figure.value : std::min(figures.smallest, figure.value);
        figures.largest = isFirst ? figure.value : std::max(figures.largest, figure.value);
        isFirst = false;
    }
    return figures;
}

CostFigure numberOrNone(const std::optional<double>& value, bool isCall)
{
    return value ? CostFigure{.value = *value, .known = 1} : isCall ? CostFigure{.unknown = 1} : CostFigure();
}

template <typename Measure>
CostFigures figuresOfCalls(const Program& program, std::string name, CostUnit unit, const Measure& measure)
{
    const Graph& graph = program.rootGraph();
    CostFigures figures{.name = std::move(name), .unit = unit, .nodes = std::vector<CostFigure>(graph.idBound())};
    for (const NodeId id : graph.nodes())
        figures.nodes[id.index()] = measure(id, graph[id].isCall());
    return summed(std::move(figures));
}

} // namespace

void CostFigure::add(const CostFigure& other)
{
    value += other.value;
    known += other.known;
    uncounted += other.uncounted;
    unknown += other.unknown;
}

CostFigure CostFigures::sum(std::span<const NodeId> ids) const
{
    CostFigure sum;
    for (const NodeId id : ids)
        sum.add(of(id));
    return sum;
}

CostFigures flopFigures(const Program& program, const ProgramCosts& costs)
{
    return figuresOfCalls(program, "FLOPs", CostUnit::flop, [&](NodeId id, bool isCall) -> CostFigure {
        const NodeCost& cost = costs.nodes[id.index()];
        if (!isCall)
            return {};
        if (cost.uncounted > 0)
            return {.uncounted = 1};
        return cost.flops ? CostFigure{.value = static_cast<double>(*cost.flops), .known = 1} : CostFigure{.unknown = 1};
    });
}

CostFigures byteFigures(const Program& program, const ProgramCosts& costs)
{
    return figuresOfCalls(program, "Bytes", CostUnit::byte, [&](NodeId id, bool isCall) -> CostFigure {
        const NodeCost& cost = costs.nodes[id.index()];
        return isCall
            ? CostFigure{.value = static_cast<double>(cost.bytesRead) + static_cast<double>(cost.bytesWritten), .known = 1}
            : CostFigure();
    });
}

CostFigures secondFigures(const Program& program, const ProgramSeconds& seconds)
{
    return figuresOfCalls(program, "Seconds", CostUnit::second, [&](NodeId id, bool isCall) {
        return numberOrNone(id.index() < seconds.nodes.size() ? seconds.nodes[id.index()].seconds : std::nullopt, isCall);
    });
}

CostFigures numberFigures(const Program& program, std::string name, std::span<const std::optional<double>> numbers)
{
    return figuresOfCalls(program, std::move(name), CostUnit::number, [&](NodeId id, bool isCall) {
        return numberOrNone(id.index() < numbers.size() ? numbers[id.index()] : std::nullopt, isCall);
    });
}

double CostScale::at(double value) const
{
    if (value >= high)
        return 1;
    if (value <= low)
        return 0;
    return isLogarithmic ? std::log(value / low) / std::log(high / low) : (value - low) / (high - low);
}

CostScale scaleOf(const CostFigures& figures)
{
    if (figures.hasNegative)
        return {.low = std::min(figures.smallest, figures.total.value),
                .high = std::max(figures.largest, figures.total.value),
                .isLogarithmic = false};
    const double high = figures.total.value;
    const double low = std::max(figures.smallest, high / kDecades);
    return {.low = low, .high = high, .isCut = low > figures.smallest};
}

std::string costText(CostUnit unit, double value)
{
    static constexpr std::array<std::string_view, 7> kFlops{"FLOP", "kFLOP", "MFLOP", "GFLOP", "TFLOP", "PFLOP", "EFLOP"};
    switch (unit) {
    case CostUnit::flop: return inUnits(value, kFlops);
    case CostUnit::byte: return formatBytes(static_cast<std::uint64_t>(std::max(0.0, value)));
    case CostUnit::second: return formatSeconds(value);
    case CostUnit::number: break;
    }
    return formatted("%.4g", value);
}

std::string describe(const CostFigures& figures, const CostFigure& figure)
{
    if (figure.isEmpty())
        return {};
    if (!figure.isKnown())
        return figure.uncounted > 0 ? "not counted" : "no value";
    std::string text = costText(figures.unit, figure.value);
    if (figure.uncounted > 0)
        text += ", " + formatCount(figure.uncounted, "op") + " not counted";
    if (figure.unknown > 0)
        text += ", " + formatCount(figure.unknown, "op") + " without a value";
    return text;
}

std::string costShareText(const CostFigures& figures, const CostFigure& figure)
{
    if (!figure.isKnown() || figures.hasNegative || figures.total.value <= 0)
        return {};
    const double percent = 100 * figure.value / figures.total.value;
    if (percent > 0 && percent < 0.1)
        return "<0.1%";
    return formatted(percent >= 99.95 || percent == 0 ? "%.0f%%" : "%.1f%%", percent);
}

} // namespace sunder
