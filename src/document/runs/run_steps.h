#pragma once

#include "document/runs/outcome.h"
#include "support/progress_monitor.h"
#include "verify/verify.h"

#include <QElapsedTimer>

namespace sunder {

/// Runs the steps of a pass, reports progress, and records the pass, options, time, durations, and verification in the outcome.
class RunSteps {
public:
    RunSteps(Outcome& outcome, const char* pass, PassOptions options, ProgressMonitor& monitor)
        : m_outcome(outcome), m_monitor(monitor)
    {
        m_outcome.pass = QLatin1String(pass);
        m_outcome.options = std::move(options);
    }

    /// Runs the pass or one of its steps and returns its result.
    template <typename Step>
    auto pass(const char* step, const Step& run)
    {
        m_monitor.report(0, step);
        m_clock.start();
        auto made = run();
        m_outcome.passSeconds += seconds();
        m_outcome.when = QDateTime::currentDateTime();
        return made;
    }

    Result<void> verify(const Program& source, const Program& made)
    {
        constexpr double kPassShare = 0.5; // share of the progress; verification takes about as long
        m_monitor.report(kPassShare, "verifying that it computes the same");
        m_clock.start();
        Result<VerifyReport> report = verifyResult(source, made, m_monitor);
        m_outcome.verifySeconds += seconds();
        SUNDER_TRY(m_outcome.report, std::move(report));
        return {};
    }

private:
    [[nodiscard]] double seconds() const { return static_cast<double>(m_clock.nsecsElapsed()) / 1e9; }

    Outcome& m_outcome;
    ProgressMonitor& m_monitor;
    QElapsedTimer m_clock;
};

} // namespace sunder
