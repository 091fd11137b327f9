#include "panes/partition_dag/move_trial.h"

namespace sunder {

MoveTrial::MoveTrial(Jobs& jobs, QObject* parent) : QObject(parent), m_jobs(jobs) {}

void MoveTrial::start(const CutMeasurePtr& measure, std::vector<NodeId> nodes, std::int32_t to,
                      std::function<void(const MovePreview&)> done)
{
    cancel();
    if (isAtOnce(*measure)) {
        done(measure->preview(nodes, to));
        return;
    }
    m_job = m_jobs.start<MovePreview>(
        {.key = QStringLiteral("move preview %1").arg(reinterpret_cast<quintptr>(this)),
         .title = tr("Preview a move"),
         .quiet = true},
        [measure, nodes = std::move(nodes), to](ProgressMonitor& monitor) { return measure->preview(nodes, to, monitor); }, this,
        [this, done = std::move(done)](Result<MovePreview> preview) {
            if (!preview) // cancelled: a newer trial may have started
                return;
            m_job = {};
            done(*preview);
        });
}

void MoveTrial::cancel()
{
    if (m_job.isValid())
        m_jobs.cancel(std::exchange(m_job, JobId()));
}

} // namespace sunder
