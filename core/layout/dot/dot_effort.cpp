#include "layout/dot/dot_effort.h"

#include <algorithm>

namespace sunder {
namespace {

constexpr std::uint64_t kBoxes = 1'000;
constexpr std::uint64_t kDummies = 1'500;
constexpr std::uint64_t kFan = 1'000;
constexpr std::uint64_t kBoundedBoxes = 2'000;
constexpr std::uint64_t kBoundedDummies = 12'000;
constexpr std::uint64_t kProcess = 10;       ///< start of the child process
constexpr std::uint64_t kSquares = 8'000;    ///< default settings: squared vertices per millisecond
constexpr std::uint64_t kBoundedCost = 20;   ///< bounded settings: vertices per millisecond

constexpr std::uint64_t kFewCrossings = 10; ///< a body with this many crossings may use half of the remaining work

} // namespace

DotEffort predictDot(const layered::RankFigures& figures)
{
    if (figures.boxes <= kBoxes && figures.dummies <= kDummies && figures.fan <= kFan)
        return DotEffort::full;
    if (figures.boxes <= kBoundedBoxes && figures.dummies <= kBoundedDummies)
        return DotEffort::bounded;
    return DotEffort::none;
}

std::optional<std::uint64_t> predictDotWork(const layered::RankFigures& figures)
{
    const std::uint64_t vertices = figures.boxes + figures.dummies;
    switch (predictDot(figures)) {
    case DotEffort::full: return kProcess + vertices * vertices / kSquares;
    case DotEffort::bounded: return kProcess + vertices / kBoundedCost;
    case DotEffort::none: break;
    }
    return std::nullopt;
}

bool DotBudget::allows(std::uint64_t work, std::uint64_t crossings) const
{
    const double share = static_cast<double>(crossings) / static_cast<double>(crossings + kFewCrossings);
    return m_milliseconds > 0 && static_cast<double>(work) <= share * static_cast<double>(m_work);
}

void DotBudget::spend(std::uint64_t work, std::uint32_t milliseconds)
{
    m_work -= std::min(m_work, work);
    m_milliseconds -= std::min(m_milliseconds, milliseconds);
}

} // namespace sunder
