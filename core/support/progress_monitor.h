#pragma once

#include "support/result.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace sunder {

/// Receives the progress of a long operation, and tells it when to stop. Called from the working thread.
class ProgressMonitor {
public:
    virtual ~ProgressMonitor() = default;
    /// Reports `fraction`, 0 … 1 of the whole operation. May be called often; implementations limit the rate.
    virtual void report(double fraction, std::string_view what) = 0;
    /// Returns whether the operation should end early. For operations that return a partial result; others use check().
    [[nodiscard]] virtual bool isCancelled() const = 0;
    /// Fails with ErrorCode::cancelled if the operation should end early: `SUNDER_PROPAGATE(monitor.check());`.
    [[nodiscard]] Result<void> check() const { return isCancelled() ? Result<void>(cancelled()) : Result<void>(); }

    /// Returns a monitor that ignores reports and never cancels.
    static ProgressMonitor& none();
};

/// Progress of an operation measured in bytes: "Copying weights, 3.2 GB of 9.8 GB".
class ByteProgress final {
public:
    /// `all`: number of bytes of the whole operation.
    ByteProgress(ProgressMonitor& monitor, std::uint64_t all, std::string what);

    /// Reports further bytes as done. Fails with ErrorCode::cancelled.
    [[nodiscard]] Result<void> add(std::uint64_t bytes);
    [[nodiscard]] Result<void> check() const { return m_monitor.check(); }

private:
    ProgressMonitor& m_monitor;
    std::uint64_t m_all;
    std::uint64_t m_done = 0;
    std::string m_what;
    std::string m_end; ///< e.g. " of 9.8 GB"
};

/// A section of an operation's progress, for a step that reports from 0 to 1 itself.
class SubProgress final : public ProgressMonitor {
public:
    SubProgress(ProgressMonitor& whole, double from, double to) : m_whole(whole), m_from(from), m_to(to) {}
    void report(double fraction, std::string_view what) override { m_whole.report(m_from + fraction * (m_to - m_from), what); }
    [[nodiscard]] bool isCancelled() const override { return m_whole.isCancelled(); }

private:
    ProgressMonitor& m_whole;
    double m_from;
    double m_to;
};

/// Progress of a loop, e.g. over nodes. Checks for cancellation about every thousand steps, which is a few milliseconds of a
/// typical loop.
class StepMonitor final {
public:
    static constexpr std::size_t kStepsAQuestion = 1024;

    /// `all`: the expected number of steps; there may be more. `what` must outlive this object; if empty, no progress is
    /// reported.
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

private:
    Result<void> ask()
    {
        m_nextQuestion = m_steps + kStepsAQuestion;
        if (!m_what.empty() && m_all != 0)
            m_monitor.report(std::min(1.0, static_cast<double>(m_steps) / static_cast<double>(m_all)), m_what);
        return m_monitor.check();
    }

    ProgressMonitor& m_monitor;
    std::size_t m_all;
    std::string_view m_what;
    std::size_t m_steps = 0;
    std::size_t m_nextQuestion = 0;
};

} // namespace sunder
