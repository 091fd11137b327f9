#pragma once

#include "support/progress_monitor.h"

#include <algorithm>
#include <cstdint>

namespace sunder {

/// A long loop's share of an operation's progress. Asks the monitor every few thousand beats, so that a beat costs an
/// addition.
class Pulse {
public:
    /// `from` and `to`: what fraction of the whole the loop begins and ends with. `beats`: how many are expected; more
    /// may come.
    Pulse(ProgressMonitor& monitor, double from, double to, std::uint64_t beats)
        : m_monitor(monitor), m_from(from), m_to(to), m_expected(std::max<std::uint64_t>(beats, 1))
    {
    }
    /// False once the operation was cancelled.
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
