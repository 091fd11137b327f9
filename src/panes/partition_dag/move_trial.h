#pragma once

#include "document/runs/cut_measure.h"
#include "jobs/jobs.h"

#include <functional>

namespace sunder {

/// Computes the effects of moves: immediately, or in a job if the model is so large that this would block the window.
class MoveTrial final : public QObject {
public:
    struct Options {
        /// Maximum number of calls for an immediate computation; a million take 200 to 500 ms.
        std::uint32_t mostAtOnce = 100'000;
    };

    explicit MoveTrial(Jobs& jobs, QObject* parent = nullptr);
    void setOptions(Options options) { m_options = options; }
    [[nodiscard]] bool isAtOnce(const CutMeasure& measure) const { return measure.graph()->callCount <= m_options.mostAtOnce; }

    /// Computes the effects of moving the nodes to part `to`, and calls `done` before returning or later. `done` is not called if
    /// another trial starts first or this one is canceled.
    void start(const CutMeasurePtr& measure, std::vector<NodeId> nodes, std::int32_t to,
               std::function<void(const MovePreview&)> done);
    void cancel();
    [[nodiscard]] bool isRunning() const { return m_job.isValid(); }

private:
    Jobs& m_jobs;
    Options m_options;
    JobId m_job;
};

} // namespace sunder
