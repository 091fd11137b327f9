#pragma once

#include "layout/box_layout.h"

#include <cstdint>

namespace sunder {

/// What `dot` may cost in all bodies of one picture. It is counted in predicted work, so that what is drawn does not depend on
/// how busy the machine is; the clock is the last resort, where a machine takes several times as long as predicted.
class DotBudget {
public:
    /// Whether a body with so many crossings may have so much work (`predictDotWork`). A body may take the more of what is left
    /// the more there is to gain: few crossings a little, many nearly all.
    [[nodiscard]] bool allows(std::uint64_t work, std::uint64_t crossings) const;
    void spend(std::uint64_t work, std::uint32_t milliseconds);
    /// What the clock leaves.
    [[nodiscard]] std::uint32_t millisecondsLeft() const { return m_milliseconds; }

private:
    std::uint64_t m_work = 500;
    std::uint32_t m_milliseconds = 800;
};

} // namespace sunder
