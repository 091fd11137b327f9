#pragma once

#include "layout/box_layout.h"

#include <cstdint>

namespace sunder {

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
