#pragma once

#include "support/progress_monitor.h"

#include <algorithm>
#include <cstdint>

namespace sunder {

/// Reports the progress of a long loop. Polls the monitor only every few thousand iterations, so that an iteration costs one
/// addition.
class ProgressTicker {
public:
    /// `from` and `to`: the fractions of overall progress at the start and end of the loop. `beats`: the expected number of
    /// iterations; there may be more.
    ProgressTicker(ProgressMonitor& monitor, double from, double to, std::uint64_t beats)
        : m_monitor(monitor), m_from(from), m_to(to), m_expected(std::max<std::uint64_t>(beats, 1))
    {
    }
    /// Counts one iteration. Returns false once the operation is cancelled.
    bool beat()
    {
        if (++m_beats % kInterval == 0 && !m_cancelled) {
            const double done = std::min(1.0, static_cast<double>(m_beats) / static_cast<double>(m_expected));
            m_monitor.report(m_from + done * (m_to - m_from), "verifying");
            m_cancelled = m_monitor.isCancelled();
        }
        return !m_cancelled;
    }
    [[nodiscard]] bool isCancelled() const { return m_cancelled; }

private:
    static constexpr std::uint64_t kInterval = 4096;

    ProgressMonitor& m_monitor;
    double m_from;
    double m_to;
    std::uint64_t m_expected;
    std::uint64_t m_beats = 0;
    bool m_cancelled = false;
};

} // namespace sunder
