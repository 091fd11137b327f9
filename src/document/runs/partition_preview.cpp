#include "document/runs/partition_preview.h"

#include "analysis/device.h"
#include "document/runs/make_runs.h"
#include "document/text.h"

namespace sunder {
namespace {

/// A refusal is a valid answer, not a failed job: the pane shows it, and it is not logged.
struct Answer {
    SplitOutcomePtr outcome;
    std::string why;
};

} // namespace

PartitionPreview::PartitionPreview(Document& document, Jobs& jobs, QObject* parent)
    : QObject(parent), m_document(document), m_jobs(jobs)
{
    connect(&document, &Document::changed, this, [this](Changes what) {
        if (what & (Change::devices | Change::outcome | Change::program))
            update();
    });
}

void PartitionPreview::update()
{
    const SplitOutcomePtr base = m_document.runs().shownSplit();
    if (base == m_base && m_document.devices().list() == m_devices)
        return;
    if (base == m_base && m_state != State::refused && giveTheSame(m_document.devices().list(), m_devices)) {
        m_devices = m_document.devices().list(); // only names differ, so the result remains valid
        return;
    }
    if (std::exchange(m_base, base) != base)
        setOutcome(nullptr); // the preview was for another partition
    m_devices = m_document.devices().list();
    if (m_job)
        m_jobs.cancel(std::exchange(m_job, JobId()));
    if (base && base->plan && !giveTheSame(base->plan->request.devices(), m_devices))
        start(base);
    else
        set(State::none);
}

void PartitionPreview::start(const SplitOutcomePtr& base)
{
    PartitionRequest request = base->plan->request;
    request.config.devices = m_devices;
    set(State::running, m_outcome);
    m_job = m_jobs.start<Answer>(
        {.key = QStringLiteral("partition preview"), .title = tr("Partition for the current devices"), .quiet = true},
        [request, snapshot = m_document.snapshot()](ProgressMonitor& monitor) -> Result<Answer> {
            Result<SplitOutcomePtr> made = makePartition(snapshot, request, monitor);
            if (made)
                return Answer{std::move(*made), {}};
            if (!isFault(made.error()))
                SUNDER_PROPAGATE(std::move(made));
            return Answer{nullptr, describe(made.error())};
        },
        this,
        [this, base, devices = m_devices](Result<Answer> answer) {
            if (base != m_base || !giveTheSame(devices, m_devices))
                return;
            m_job = {};
            if (!answer)
                set(State::none);
            else if (answer->outcome)
                set(State::ready, answer->outcome);
            else
                set(State::refused, nullptr, text(answer->why));
        });
}

void PartitionPreview::set(State state, SplitOutcomePtr outcome, const QString& why)
{
    const bool isNew = state != m_state || outcome != m_outcome || why != m_why;
    m_state = state;
    setOutcome(std::move(outcome));
    m_why = why;
    if (isNew)
        emit changed();
}

void PartitionPreview::setOutcome(SplitOutcomePtr outcome)
{
    if (outcome == m_outcome)
        return;
    m_outcome = std::move(outcome);
    m_run = 0;
    if (m_outcome)
        m_run = m_document.runs().setPreview(m_outcome);
    else
        m_document.runs().clearPreview();
}

void PartitionPreview::keep()
{
    if (m_state == State::ready && m_outcome)
        m_document.runs().add(SplitOutcomePtr(m_outcome));
}

} // namespace sunder

#include "moc_partition_preview.cpp"
