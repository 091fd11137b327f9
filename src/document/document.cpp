#include "document/document.h"

#include "document/session_commands.h"
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
} // namespace

/// Replaces the model by its reloaded file: another snapshot, with fitting tags and without runs. Undo and redo swap everything.
class ReloadCommand final : public QUndoCommand {
public:
    ReloadCommand(Document& document, PreparedModel model, const QString& text)
        : QUndoCommand(text), m_document(document), m_model(std::move(model))
    {
    }
    /// Destroys the model in the background, since it can be large.
    ~ReloadCommand() override { Jobs::discard(m_document.m_jobs, std::pair(std::move(m_model), std::move(m_runs))); }
    void undo() override { m_document.swapModel(m_model, m_runs); }
    void redo() override { m_document.swapModel(m_model, m_runs); }

private:
    Document& m_document;
    PreparedModel m_model;
    RunHistory m_runs;
};

Document::Document(Jobs* jobs, QObject* parent) : QObject(parent), m_jobs(jobs)
{
    connect(&m_undoStack, &QUndoStack::cleanChanged, this, [this] { emit changed(Change::file); });
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

void Document::touch(Changes what)
{
    m_isTouched = true;
    emit changed(what | Change::file);
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
    return tag >= 0 && tag < tagCount() ? text(tags().order[static_cast<std::size_t>(tag)]) : QString();
}

BackwardTags Document::backwardTags() const
{
    return tagState().backwardFollows ? BackwardTags::follow : BackwardTags::apart;
}

// Opening -----------------------------------------------------------------------------------------

void Document::open(PreparedModel model, const QString& path)
{
    SnapshotPtr before = std::move(m_snapshot);
    m_runs.reset();
    m_snapshot = std::move(model.snapshot);
    m_filePath = path;
    m_programName = model.programName;
    m_tagsPath = model.tagsPath;
    m_marks.reset();
    m_isTouched = false;
    m_tags.reset(std::move(model.state), std::move(model.basis));
    m_devices.reset(std::move(model.devices));
    m_notes.m_list = std::move(model.notes);
    m_costs.reset();
    m_loads.reset();
    m_checks.reset(std::move(model.check));
    if (!m_devices.list().empty())
        recheck(); // the prepared check does not include the devices
    m_undoStack.clear();
    emit changed(kEverything);
    Jobs::discard(m_jobs, std::move(before));
}

void Document::takeReloaded(PreparedModel model, const QString& undoText)
{
    const bool isAsSaved = !isModified() && m_runs.list().empty() && model.basis.transfer->isPlain();
    model.state = withActiveOf(seenAs(std::move(model.state), tagState()), tagState());
    m_undoStack.push(new ReloadCommand(*this, std::move(model), undoText));
    if (isAsSaved) // for example, only the weights differ
        m_undoStack.setClean();
}

void Document::swapModel(PreparedModel& model, RunHistory& runs)
{
    std::swap(m_snapshot, model.snapshot);
    m_costs.reset();
    m_loads.reset();
    m_tags.swapModel(model.state, model.basis);
    m_runs.swapHistory(runs);
    m_marks.reset();
    m_checks.swapModel(std::exchange(model.check, {})); // start with the known check, then check again
    recheck();
    announce(kModel);
}

void Document::setOperators(SnapshotPtr same)
{
    if (!isOf(same))
        return;
    std::swap(m_snapshot, same);
    m_costs.recount();
    recheck(); // operator effects determine which orders are legal
    emit changed(Change::operators | Change::check);
    Jobs::discard(m_jobs, std::move(same));
}

void Document::setSizes(SnapshotPtr same, std::vector<std::pair<int, RunResult>> results)
{
    if (!isOf(same))
        return;
    std::swap(m_snapshot, same);
    m_costs.recount();
    m_runs.takeResults(std::move(results));
    recheck();
    emit changed(Change::sizes | Change::check | Change::runs | Change::outcome);
    Jobs::discard(m_jobs, std::move(same));
}

void Document::close()
{
    open({}, {});
}

// Steps and changes -----------------------------------------------------------------------------

void Document::recheck()
{
    if (m_jump) {
        m_jump->looks = true;
        return;
    }
    m_runs.noteCurrent();
    m_checks.m_watch.check();
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
    const bool wasCurrent = m_runs.isSplitCurrent();
    m_jump = Jump();
    m_undoStack.setIndex(step);
    const Jump jump = *std::exchange(m_jump, std::nullopt);
    if (jump.changes.testFlag(Change::tagList))
        m_checks.forgetTotals();
    if (jump.looks)
        recheck();
    emit changed(wasCurrent == m_runs.isSplitCurrent() ? jump.changes : jump.changes | Change::outcome);
}

void Document::takeRecovered(PreparedModel recovered)
{
    const bool areTagsSame = recovered.state.tags.order == tags().order && recovered.state.tags.tagOf == tags().tagOf
        && recovered.state.traits == tagState().traits && recovered.state.backwardFollows == tagState().backwardFollows
        && recovered.basis.rules == basis().rules;
    makeIdsUnique(recovered.devices);
    if (areTagsSame && recovered.devices == m_devices.list() && recovered.notes == m_notes.list())
        return;
    const TagState seen = recovered.state;
    m_undoStack.beginMacro(tr("Recovered work"));
    if (!areTagsSame)
        m_tags.pushBasis(std::move(recovered.state), std::move(recovered.basis), tr("Recovered work"));
    m_devices.set(std::move(recovered.devices), tr("Recovered work"));
    if (recovered.notes != m_notes.list())
        m_notes.change(std::move(recovered.notes), tr("Recovered work"));
    m_undoStack.endMacro();
    m_tags.m_state = seenAs(std::move(m_tags.m_state), seen); // undo steps do not change visibility or the active tag
    emit changed(Change::tags | Change::activeTag);
}
} // namespace sunder

#include "moc_document.cpp"
