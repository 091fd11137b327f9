// The part of the document that looks at the tags after every change: at once, or in a job where the model is large.
#include "document/document_compute.h"

#include "analysis/same_devices.h"

namespace sunder {
namespace {
/// Above, one check would hold the window up for more than a frame or two.
constexpr std::size_t kCheckedAtOnce = 30'000;

/// What the split says of the tags; it refers to it.
SplitProof proofOf(const SplitOutcomePtr& split)
{
    return split ? SplitProof{.report = &split->report, .map = &split->split.map} : SplitProof();
}

} // namespace

bool Document::isLarge() const
{
    return m_jobs != nullptr && m_snapshot && m_snapshot->graph().size() > kCheckedAtOnce;
}

void Document::noteCurrent()
{
    const SplitOutcomePtr split = shownSplit();
    if (!split)
        m_splitCurrent = false;
    else if (split->plan)
        m_splitCurrent = giveTheSame(split->plan->request.devices(), m_devices);
    else if (split->madeFrom)
        m_splitCurrent = split->madeFrom->order == m_state.tags.order && split->madeFrom->tagOf == m_state.tags.tagOf;
    else
        m_splitCurrent = true;
}

SplitOutcomePtr Document::checkedSplit() const
{
    SplitOutcomePtr split = m_splitCurrent ? shownSplit() : nullptr;
    return split && split->madeFrom ? split : nullptr;
}

void Document::check()
{
    ++m_checkRevision;
    noteCurrent();
    if (!m_snapshot)
        return;
    if (isLarge()) {
        if (!std::exchange(m_checking, true))
            checkLater();
        return;
    }
    const SplitOutcomePtr split = checkedSplit();
    m_check = checkOf(*m_snapshot, m_state.tags, {.activeTag = m_state.active, .proof = proofOf(split)});
}

void Document::checkLater()
{
    const std::uint64_t revision = m_checkRevision;
    const SplitOutcomePtr outcome = checkedSplit();
    m_jobs->start<TagCheck>(
        {.key = QStringLiteral("check"), .title = tr("Check the tags"), .quiet = true},
        [snapshot = m_snapshot, tags = m_state.tags, active = m_state.active, outcome](ProgressMonitor&) -> Result<TagCheck> {
            return checkOf(*snapshot, tags, {.activeTag = active, .proof = proofOf(outcome)});
        },
        this,
        [this, revision, snapshot = m_snapshot](Result<TagCheck> found) {
            if (!m_checking || !isOf(snapshot))
                return; // another model meanwhile
            if (revision != m_checkRevision) {
                checkLater(); // the next stroke has come meanwhile
                return;
            }
            m_checking = false;
            if (found)
                m_check = std::move(*found);
            emit changed(Change::check);
        });
}

void Document::listProblems()
{
    if (isLarge())
        check();
    else if (const SplitOutcomePtr split = checkedSplit(); m_snapshot)
        m_check.problems = problemsOf(*m_snapshot, m_state.tags, m_check.report,
                                      {.activeTag = m_state.active, .proof = proofOf(split)});
}

void Document::tagsChanged(Changes more)
{
    const bool wasCurrent = m_splitCurrent;
    if (more.testFlag(Change::tagList) && isLarge())
        m_check = {.totals = {.tags = std::vector<TagTotal>(m_state.tags.order.size())}}; // it counted other tags
    check();
    if (wasCurrent != m_splitCurrent)
        more |= Change::outcome;
    emit changed(more | Change::tags | Change::check);
}

} // namespace sunder
