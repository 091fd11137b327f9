#include "layout/automatic_choice.h"

namespace sunder {
namespace {

constexpr std::uint64_t kBoxes = 1'000;
constexpr std::uint64_t kDummies = 1'500;
constexpr std::uint64_t kFan = 1'000;
constexpr std::uint64_t kBoundedBoxes = 2'000;
constexpr std::uint64_t kBoundedDummies = 12'000;

} // namespace

DotEffort predictDot(const layered::RankFigures& figures)
{
    if (figures.boxes <= kBoxes && figures.dummies <= kDummies && figures.fan <= kFan)
        return DotEffort::full;
    if (figures.boxes <= kBoundedBoxes && figures.dummies <= kBoundedDummies)
        return DotEffort::bounded;
    return DotEffort::none;
}

} // namespace sunder
