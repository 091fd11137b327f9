#pragma once

#include "layout/layered/rank.h"

#include <cstdint>
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

/// The budget for `dot` over all bodies of one picture. It is counted in predicted work, so that the drawing does not depend on
/// the load of the machine. The clock is only a fallback for machines that take several times as long as predicted.
class DotBudget {
public:
    /// Returns whether a body with this many crossings may spend this much work (`predictDotWork`). The allowed share of the
    /// remaining work grows with the crossings: small for few, nearly everything for many.
    [[nodiscard]] bool allows(std::uint64_t work, std::uint64_t crossings) const;
    void spend(std::uint64_t work, std::uint32_t milliseconds);
    /// Time left on the clock.
    [[nodiscard]] std::uint32_t millisecondsLeft() const { return m_milliseconds; }

private:
    std::uint64_t m_work = 500;
    std::uint32_t m_milliseconds = 800;
};

} // namespace sunder
