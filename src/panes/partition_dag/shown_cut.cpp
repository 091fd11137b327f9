#include "panes/partition_dag/shown_cut.h"

namespace sunder {

ShownCut::ShownCut(Document& document, Jobs& jobs, QObject* parent)
    : QObject(parent), m_document(document), m_jobs(jobs), m_preview(new PartitionPreview(document, jobs, this))
{
    connect(m_preview, &PartitionPreview::changed, this, &ShownCut::start);
}

void ShownCut::setRun(int number, SplitOutcomePtr run)
{
    m_number = number;
    m_run = std::move(run);
    start();
}

void ShownCut::setProposal(const TagAssignment* tags, BalancePlanPtr plan)
{
    m_proposedPlan = std::move(plan);
    m_proposed.reset();
    m_proposedFor = m_document.snapshot();
    if (tags != nullptr) {
        auto cut = std::make_shared<SplitOutcome>();
        cut->tags = *tags;
        m_proposed = std::move(cut);
    }
    start();
}

const SplitOutcomePtr& ShownCut::outcome() const
{
    if (m_proposed && m_document.isOf(m_proposedFor))
        return m_proposed;
    return m_preview->outcome() != nullptr ? m_preview->outcome() : m_run;
}

int ShownCut::measuredNumber() const
{
    if (!m_measure)
        return 0;
    return m_measure->cut() == m_run ? m_number : m_measure->cut() == m_preview->outcome() ? m_preview->run() : 0;
}

void ShownCut::setCountsAsTorch(bool on)
{
    m_countsAsTorch = on;
    start();
}

void ShownCut::start()
{
    const SplitOutcomePtr wanted = outcome();
    if (!wanted || !m_document.isOpen()) {
        m_measure.reset();
        emit measured();
        return;
    }
    const MemoryRule rule = wanted->plan && m_countsAsTorch ? MemoryRule::keepsAll : MemoryRule::freesDead;
    if (m_measure && m_measure->cut() == wanted && m_measure->graph()->rule == rule) {
        if (measuredNumber() != 0)
            emit renumbered();
        return;
    }
    const SnapshotPtr source = m_document.snapshot();
    std::shared_ptr<const CutGraph> known;
    if (m_measure && m_measure->source() == source && m_measure->graph()->rule == rule)
        known = m_measure->graph();
    if (!m_measure)
        emit measuring();
    m_jobs.start<CutMeasurePtr>(
        {.key = QStringLiteral("measure cut %1").arg(reinterpret_cast<quintptr>(this)),
         .title = tr("Measure the cut"),
         .quiet = true},
        [source, wanted, rule, known](ProgressMonitor&) -> Result<CutMeasurePtr> {
            return std::make_shared<const CutMeasure>(source, wanted, rule, known);
        },
        this,
        [this, wanted](Result<CutMeasurePtr> measure) {
            if (!measure || outcome() != wanted) // a measure with the other rule replaces this job
                return;
            m_measure = std::move(*measure);
            emit measured();
        });
}

} // namespace sunder

#include "moc_shown_cut.cpp"
