#pragma once

#include "support/progress_monitor.h"

#include <cstddef>
#include <string_view>

namespace sunder {

/// Progress of a loop, e.g. over nodes. Checks for cancellation about every thousand steps, which is a few milliseconds of a
/// typical loop.
class StepMonitor final {
public:
    static constexpr std::size_t kStepsAQuestion = 1024;

    /// `what` must outlive this object; if empty, no progress is reported.
    explicit StepMonitor(ProgressMonitor& monitor, std::size_t all = 0, std::string_view what = {})
        : m_monitor(monitor), m_all(all), m_what(what)
    {
    }

    /// Counts one or more steps. Fails with ErrorCode::cancelled if the loop should end.
    [[nodiscard]] Result<void> step(std::size_t steps = 1)
    {
        m_steps += steps;
        return m_steps < m_nextQuestion ? Result<void>() : ask();
    }

    /// Counts one or more steps. Returns false if the loop should end.
    [[nodiscard]] bool shouldContinue(std::size_t steps = 1)
    {
        m_steps += steps;
        if (m_steps < m_nextQuestion)
            return true;
        m_nextQuestion = m_steps + kStepsAQuestion;
        if (!m_what.empty() && m_all != 0)
            m_monitor.report(static_cast<double>(m_steps) / static_cast<double>(m_all), m_what);
        return !m_monitor.isCancelled();
    }

private:
    Result<void> ask()
    {
        m_nextQuestion = m_steps + kStepsAQuestion;
        if (!m_what.empty() && m_all != 0)
            m_monitor.report(static_cast<double>(m_steps) / static_cast<double>(m_all), m_what);
        return m_monitor.check();
    }

    ProgressMonitor& m_monitor;
    std::size_t m_all;
    std::string_view m_what;
    std::size_t m_steps = 0;
    std::size_t m_nextQuestion = 0;
};

} // namespace sunder
