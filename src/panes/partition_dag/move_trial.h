#pragma once

#include "document/runs/cut_measure.h"
#include "jobs/jobs.h"

#include <functional>

namespace sunder {

/// Reckons what moves would change: at once, or in a job where the model is so large that this would hold the window up.
class MoveTrial final : public QObject {
public:
    struct Options {
        /// Calls of a model up to which it is reckoned at once: a million take 200 to 500 ms.
        std::uint32_t mostAtOnce = 100'000;
    };

    explicit MoveTrial(Jobs& jobs, QObject* parent = nullptr);
    void setOptions(Options options) { m_options = options; }
    [[nodiscard]] bool isAtOnce(const CutMeasure& measure) const { return measure.graph()->callCount <= m_options.mostAtOnce; }

    /// `done` hears what moving the nodes to part `to` would change, before this returns or later; never when another trial
    /// was started before, or this one cancelled.
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
