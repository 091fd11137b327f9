#pragma once

#include "layout/layered/rank.h"

#include <optional>

namespace sunder {

/// The settings with which `dot` can be expected to lay out a graph in time.
enum class DotEffort : std::uint8_t {
    none,    ///< not at all
    bounded, ///< with limits (nslimit and mclimit)
    full,    ///< with the defaults
};

/// Predicts from boxes, dummies, and the largest fan, with the limits measured in `docs/pictures.md`. Long edges cost more than
/// boxes.
DotEffort predictDot(const layered::RankFigures& figures);

/// Predicted cost in units of about a millisecond, or nothing for DotEffort::none.
std::optional<std::uint64_t> predictDotWork(const layered::RankFigures& figures);

} // namespace sunder
