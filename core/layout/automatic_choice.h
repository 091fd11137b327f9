#pragma once

#include "layout/layered/rank.h"

#include <optional>

namespace sunder {

/// How much of a graph dot can be expected to lay out within its time.
enum class DotEffort : std::uint8_t {
    none,    ///< it would not end
    bounded, ///< with nslimit and mclimit
    full,    ///< with its defaults
};

/// By boxes, dummies and the largest fan, as measured in `docs/pictures.md`: long edges cost more than boxes.
DotEffort predictDot(const layered::RankFigures& figures);

/// What it would cost, about a millisecond each; nothing where it would not end.
std::optional<std::uint64_t> predictDotWork(const layered::RankFigures& figures);

} // namespace sunder
