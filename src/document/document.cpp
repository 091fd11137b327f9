#include "document/document.h"

#include "analysis/device.h"
#include "document/runs/counterparts.h"
#include "document/runs/edge_counterparts.h"
#include "document/session_commands.h"
#include "document/tag_commands.h"
#include "document/tag_edits.h"
#include "document/text.h"
#include "io/side_files/project_file.h"

#include <QFileInfo>

#include <algorithm>
#include <utility>

namespace sunder {
namespace {
constexpr Changes kModel = Change::program | Change::tags | Change::tagList | Change::activeTag | Change::selection
    | Change::outcome | Change::check | Change::runs | Change::basis;
constexpr Changes kEverything = kModel | Change::opened | Change::file | Change::devices | Change::notes;

/// Returns the split if a partitioner made it.
SplitOutcomePtr partitionOf(const SplitOutcomePtr& split)
{
    return split && split->plan ? split : nullptr;
}

/// Returns the split if it was made from tags.
SplitOutcomePtr splitOfTags(const SplitOutcomePtr& split)
{
    return split && split->madeFrom ? split : nullptr;
}

} // namespace

Document::Document(Jobs* jobs, QObject* parent)
    : QObject(parent), m_jobs(jobs),
      m_tagWatch(
          [this] {
              return TagWatch::Subject{.snapshot = m_snapshot,
                                       .tags = m_state.tags,
                                       .activeTag = m_state.active,
                                       .splitWanted = m_splitWanted,
                                       .devices = m_devices,
                                       .partition = partitionOf(splitInSight()),
                                       .split = m_splitCurrent ? splitOfTags(shownSplit()) : nullptr};
          },
          jobs, this)
{
    connect(&m_undoStack, &QUndoStack::cleanChanged, this, [this] { emit changed(Change::file); });
    connect(&m_tagWatch, &TagWatch::ended, this, [this] { emit changed(Change::check); });
}

QString Document::displayName() const
{
    if (!m_programName.isEmpty())
        return m_programName;
    QString name = QFileInfo(m_filePath).fileName();
    for (const char* suffix : {".gz", ".fxj", ".pt2", ".json"})
        if (name.endsWith(QLatin1String(suffix), Qt::CaseInsensitive))
            name.chop(static_cast<qsizetype>(qstrlen(suffix)));
    return name;
}

bool Document::hasProject() const
{
    return isProjectPath(m_tagsPath.toStdString());
}

void Document::touch()
{
    m_isTouched = true;
    emit changed(Change::file);
}

/// Returns whether devices, runs, sizes, or notes have changed since the model was opened or saved.
bool Document::hasUnsavedBesideTags() const
{
    if (m_isTouched)
        return true;
    const int clean = std::max(m_undoStack.cleanIndex(), 0); // −1: the saved state is no longer reachable
    const int now = m_undoStack.index();
    for (int i = std::min(clean, now); i < std::max(clean, now); ++i)
        if (dynamic_cast<const SessionCommand*>(m_undoStack.command(i)) != nullptr)
            return true;
    return false;
}

void Document::markSaved(const QString& path)
{
    m_tagsPath = path;
    if (hasProject() || !hasUnsavedBesideTags()) {
        m_isTouched = false;
        m_undoStack.setClean();
    }
    emit changed(Change::file);
}

QString Document::tagName(int tag) const
{
    return tag >= 0 && tag < tagCount() ? text(m_state.tags.order[static_cast<std::size_t>(tag)]) : QString();
}

// Opening -----------------------------------------------------------------------------------------

void Document::open(PreparedModel model, const QString& path)
{
    SnapshotPtr before = std::move(m_snapshot);
    RunHistory::Gone runsBefore;
    m_history.clear(runsBefore);
    m_snapshot = std::move(model.snapshot);
    m_filePath = path;
    m_programName = model.programName;
    m_tagsPath = model.tagsPath;
    m_selection = {};
    m_hovered.clear();
    m_found.clear();
    m_splitCurrent = false;
    m_splitWanted = false;
    m_isTouched = false;
    m_state = std::move(model.state);
    m_basis = std::move(model.basis);
    if (!m_devices.empty())
        m_lastDevices = std::move(m_devices);
    m_devices = std::move(model.devices);
    m_notes = std::move(model.notes);
    makeIdsUnique(m_devices);
    m_tagWatch.reset(std::move(model.check));
    if (!m_devices.empty())
        look(); // the prepared check does not include the devices
    m_keptStroke = 0;
    m_undoStack.clear();
    emit changed(kEverything);
    letGo(std::move(runsBefore));
    letGo(std::move(before));
}

void Document::takeReloaded(PreparedModel model, const QString& undoText)
{
    const bool isAsSaved = !isModified() && m_history.runs().empty() && model.basis.transfer->isPlain();
    model.state = withActiveOf(seenAs(std::move(model.state), m_state), m_state);
    m_undoStack.push(new ReloadCommand(*this, std::move(model), undoText));
    if (isAsSaved) // for example, only the weights differ
        m_undoStack.setClean();
}

void Document::swapModel(PreparedModel& model, RunHistory& runs)
{
    std::swap(m_snapshot, model.snapshot);
    std::swap(m_state, model.state);
    std::swap(m_basis, model.basis);
    std::swap(m_history, runs);
    m_state = seenAs(std::move(m_state), model.state);
    m_selection = {};
    m_hovered.clear();
    m_found.clear();
    m_keptStroke = 0;
    m_tagWatch.reset(std::exchange(model.check, {})); // start with the known check, then check again
    if (totals().tags.size() != m_state.tags.order.size())
        m_tagWatch.forgetTotals(m_state.tags.order.size());
    look();
    announce(kModel);
}

void Document::setOperators(SnapshotPtr same)
{
    if (!isOf(same))
        return;
    std::swap(m_snapshot, same);
    look(); // operator effects determine which orders are legal
    emit changed(Change::operators | Change::check);
    letGo(std::move(same));
}

void Document::setSizes(SnapshotPtr same, std::vector<std::pair<int, RunResult>> results)
{
    if (!isOf(same))
        return;
    std::swap(m_snapshot, same);
    for (auto& [number, result] : results)
        letGo(m_history.replace(number, std::move(result)));
    look();
    emit changed(Change::sizes | Change::check | Change::runs | Change::outcome);
    letGo(std::move(same));
}

void Document::close()
{
    open({}, {});
}

template <typename T>
void Document::letGo(T value)
{
    if (m_jobs != nullptr)
        Jobs::discard(std::make_shared<const T>(std::move(value)));
}

// Checks of the tags -----------------------------------------------------------------------------

void Document::look()
{
    if (m_jump) {
        m_jump->looks = true;
        return;
    }
    noteCurrent();
    m_tagWatch.look();
}

void Document::announce(Changes what)
{
    if (m_jump)
        m_jump->changes |= what;
    else
        emit changed(what);
}

void Document::goToStep(int step)
{
    if (step < 0 || step > m_undoStack.count() || step == m_undoStack.index())
        return;
    const bool wasCurrent = m_splitCurrent;
    m_jump = Jump();
    m_undoStack.setIndex(step);
    const Jump jump = *std::exchange(m_jump, std::nullopt);
    if (jump.changes.testFlag(Change::tagList) && m_tagWatch.isLarge(m_snapshot))
        m_tagWatch.forgetTotals(m_state.tags.order.size());
    if (jump.looks)
        look();
    emit changed(wasCurrent == m_splitCurrent ? jump.changes : jump.changes | Change::outcome);
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

const DeviceFit* Document::deviceFit() const
{
    const std::vector<DeviceFit>& fits = m_tagWatch.last().fits;
    if (fits.empty())
        return nullptr;
    const SplitOutcomePtr split = splitInSight();
    const bool isPartition = split && split->plan && giveTheSame(split->plan->request.devices(), m_devices)
        && !fits.back().isOfTags;
    if (isPartition)
        return &fits.back();
    return fits.front().isOfTags ? &fits.front() : nullptr;
}

bool Document::isUntaggedShown() const
{
    if (!isOpen() || report().untagged.empty() || report().untagged.size() == m_snapshot->callCount)
        return false;
    return m_splitWanted || untaggedStandOut(report(), m_snapshot->callCount);
}

void Document::askForSplit()
{
    if (m_splitWanted || !isOpen() || report().untagged.size() == m_snapshot->callCount)
        return;
    m_splitWanted = true;
    m_tagWatch.lookAtProblems();
    emit changed(Change::check);
}

// Devices -----------------------------------------------------------------------------------------

void Document::setDevices(std::vector<Device> devices, const QString& undoText)
{
    makeIdsUnique(devices);
    if (devices != m_devices)
        m_undoStack.push(new DevicesCommand(*this, std::move(devices), undoText));
}

void Document::swapDevices(std::vector<Device>& devices)
{
    std::swap(m_devices, devices);
    const bool wasCurrent = m_splitCurrent;
    look();
    const Changes what = Change::devices | Change::check;
    announce(wasCurrent == m_splitCurrent ? what : what | Change::outcome);
}

void Document::useLastDevices()
{
    if (isOpen())
        setDevices(m_lastDevices, tr("Use the devices of the last model"));
}

// Runs --------------------------------------------------------------------------------------------

SplitOutcomePtr Document::splitInSight() const
{
    const Run* preview = m_history.preview();
    const SplitOutcomePtr previewed = preview != nullptr ? as<SplitOutcomePtr>(preview->result) : nullptr;
    return previewed ? previewed : shownSplit();
}

int Document::setPreview(RunResult result)
{
    dropPreview();
    const int number = m_history.setPreview(std::move(result));
    look();
    emit changed(Change::check);
    return number;
}

void Document::clearPreview()
{
    if (!dropPreview())
        return;
    look();
    emit changed(Change::check);
}

bool Document::dropPreview()
{
    std::optional<Run> gone = m_history.takePreview();
    if (!gone)
        return false;
    if (m_selection.run == gone->number)
        select(m_selection.source, m_selection.what);
    letGo(std::move(*gone));
    return true;
}

int Document::addRun(RunResult result)
{
    RunHistory::Gone gone;
    const int number = m_history.add(std::move(result), gone);
    letGo(std::move(gone));
    m_isTouched = true;
    emit changed(Change::runs | Change::file);
    showRun(number);
    return number;
}

void Document::restoreRun(int number, const QString& name, RunResult result, bool isShown)
{
    m_history.restore({.number = number, .name = name, .result = std::move(result)});
    emit changed(Change::runs);
    if (isShown)
        showRun(number);
}

void Document::replaceRun(int number, RunResult result)
{
    RunResult gone = m_history.replace(number, std::move(result));
    if (!gone)
        return;
    const bool shown = isShown(*run(number));
    if (shown)
        look();
    emit changed(shown ? Change::runs | Change::outcome | Change::check : Changes(Change::runs));
    letGo(std::move(gone));
}

void Document::showRun(int number)
{
    if (const Run* run = this->run(number))
        setShownRun(run->kind(), number);
}

void Document::hideRun(ResultKind kind)
{
    setShownRun(kind, 0);
}

void Document::setShownRun(ResultKind kind, int number)
{
    m_history.show(kind, number);
    if (m_selection.run > 0 && (run(m_selection.run) == nullptr || !isShown(*run(m_selection.run))))
        select(m_selection.source, m_selection.what); // nodes picked in a hidden run are no longer visible
    Changes what = Change::outcome | Change::runs;
    if (kind == SplitOutcome::kKind) { // problems may refer to the shown split
        look();
        what |= Change::check;
    }
    announce(what);
}

void Document::renameRun(int number, const QString& name)
{
    const Run* run = this->run(number);
    const QString wanted = name.trimmed();
    if (run != nullptr && wanted != nameOf(*run))
        m_undoStack.push(new RenameRunCommand(*this, number, wanted, tr("Rename run %1").arg(number)));
}

void Document::discardRun(int number)
{
    if (const Run* run = this->run(number))
        m_undoStack.push(new DiscardRunCommand(*this, *run, tr("Discard run %1").arg(number)));
}

void Document::swapRunName(int number, QString& name)
{
    m_history.swapName(number, name);
    announce(Change::runs);
}

void Document::insertRun(Run run)
{
    m_history.insert(std::move(run));
    announce(Change::runs);
}

void Document::removeRun(int number)
{
    std::vector<ResultKind> shown;
    for (const Run* run : shownRuns())
        if (run->number == number)
            shown.push_back(run->kind());
    m_history.remove(number);
    announce(Change::runs);
    for (const ResultKind kind : shown)
        hideRun(kind);
}

} // namespace sunder

#include "moc_document.cpp"
