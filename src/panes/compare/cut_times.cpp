#include "panes/compare/cut_times.h"

#include "document/runs/split_outcome.h"
#include "document/text.h"

#include <algorithm>
#include <utility>

namespace sunder {
namespace {

/// Returns the devices of the stages of a cut, in order: those of the partitions, if each is on a device of its own; else those of
/// the model.
std::vector<Device> stageDevices(const RunResult& cut, const std::vector<Device>& now)
{
    const SplitOutcomePtr split = as<SplitOutcomePtr>(cut);
    if (!split || !split->plan)
        return now;
    const std::vector<Device> all = asCalledNow(split->plan->request.devices(), now);
    std::vector<Device> made;
    for (const InternedString name : split->tags.order) {
        const auto at = std::ranges::find(split->plan->set.partitions, name.str(), submoduleOf);
        if (at == split->plan->set.partitions.end() || at->devices.size() != 1)
            return now;
        const auto device = std::ranges::find(all, at->devices.front(), &Device::logicalId);
        if (device == all.end() || std::ranges::find(made, device->logicalId, &Device::logicalId) != made.end())
            return now;
        made.push_back(*device);
    }
    return made;
}

} // namespace

/// The input of the jobs.
struct CutTimes::Request {
    SnapshotPtr source;
    TagAssignment before;
    TagAssignment after;
    CutFiguresOptions ofBefore; ///< with the devices of this cut
    CutFiguresOptions ofAfter;
};

CutTimes::CutTimes(Document& document, Jobs& jobs, QObject* parent) : QObject(parent), m_document(document), m_jobs(jobs)
{
    m_figures.step = {PipelineSchedule::oneForwardOneBackward, 8};
    connect(&document, &Document::changed, this, &CutTimes::documentChanged);
}

void CutTimes::setCuts(const RunComparisonPtr& comparison, const Run* before, const Run* after)
{
    const bool isCut = comparison && comparison->kind() == ComparisonKind::parts && before != nullptr && after != nullptr;
    m_comparison = isCut ? comparison : nullptr;
    m_before = isCut ? before->result : RunResult();
    m_after = isCut ? after->result : RunResult();
    compute(true);
}

void CutTimes::setStep(const BalanceStep& step, std::uint64_t statesPerParameter)
{
    m_figures.step = step;
    m_figures.statesPerParameter = statesPerParameter;
    compute(false);
}

void CutTimes::documentChanged(Changes what)
{
    if (what & Change::program) // another model, or none: the pane compares runs of the old one until it is told
        setCuts({}, nullptr, nullptr);
    const bool isMeasured = what.testFlag(Change::costs) && m_measuredRead != m_document.costs().measuredRead();
    if (m_comparison && (isMeasured || (what & (Change::devices | Change::sizes | Change::operators))))
        compute(true);
}

CutTimes::Request CutTimes::request() const
{
    const CutFiguresOptions options{
        .measured = m_document.costs().measured(), .step = m_figures.step, .statesPerParameter = m_figures.statesPerParameter};
    Request made{m_document.snapshot(), m_comparison->before(), m_comparison->after(), options, options};
    made.ofBefore.devices = stageDevices(m_before, m_document.devices().list());
    made.ofAfter.devices = stageDevices(m_after, m_document.devices().list());
    return made;
}

void CutTimes::compute(bool withBounds)
{
    m_jobs.drop(std::exchange(m_job, {}));
    m_figures.before.reset();
    m_figures.after.reset();
    if (withBounds) {
        m_jobs.drop(std::exchange(m_boundJob, {}));
        m_figures.boundBefore.reset();
        m_figures.boundAfter.reset();
        m_figures.whyNoBound.clear();
    }
    if (!m_comparison || !m_document.isOpen())
        return;
    m_measuredRead = m_document.costs().measuredRead();
    m_job = m_jobs.start<Both>(
        {.key = QStringLiteral("compare times"), .title = tr("Compare the times of two cuts"), .quiet = true},
        [request = request()](ProgressMonitor& monitor) -> Result<Both> {
            const Program& program = request.source->program;
            SUNDER_TRY(CutFigures before, cutFigures(program, request.before, request.ofBefore, monitor));
            SUNDER_TRY(CutFigures after, cutFigures(program, request.after, request.ofAfter, monitor));
            return Both{std::make_shared<const CutFigures>(std::move(before)),
                        std::make_shared<const CutFigures>(std::move(after))};
        },
        this,
        [this, withBounds](Result<Both> made) {
            m_job = {};
            if (!made)
                return;
            std::tie(m_figures.before, m_figures.after) = std::move(*made);
            if (withBounds)
                computeBounds();
            emit changed();
        });
    emit changed();
}

void CutTimes::computeBounds()
{
    const auto stagesOf = [](const CutFigures& cut) { return static_cast<std::uint32_t>(cut.stages.size()); };
    const std::uint32_t before = stagesOf(*m_figures.before);
    const std::uint32_t after = stagesOf(*m_figures.after);
    if (before == 0 && after == 0) {
        m_figures.whyNoBound = tr("not known");
        return;
    }
    m_boundJob = m_jobs.start<Bounds>(
        {.key = QStringLiteral("compare bounds"), .title = tr("Bound the loads of two cuts")},
        [request = request(), before, after](ProgressMonitor& monitor) -> Result<Bounds> {
            const Program& program = request.source->program;
            Bounds made;
            if (before > 0) {
                SUNDER_TRY(made.first, loadBound(program, before, request.ofBefore, monitor));
            }
            SUNDER_PROPAGATE(monitor.check());
            if (after == before && request.ofAfter.devices == request.ofBefore.devices) {
                made.second = made.first;
            } else if (after > 0) {
                SUNDER_TRY(made.second, loadBound(program, after, request.ofAfter, monitor));
            }
            return made;
        },
        this,
        [this](Result<Bounds> made) {
            m_boundJob = {};
            if (made)
                std::tie(m_figures.boundBefore, m_figures.boundAfter) = std::move(*made);
            m_figures.whyNoBound = made                     ? tr("not known")
                : made.error().code == ErrorCode::cancelled ? tr("canceled")
                                                            : sentence(sunder::describe(made.error()));
            emit changed();
        });
}

} // namespace sunder

#include "moc_cut_times.cpp"
