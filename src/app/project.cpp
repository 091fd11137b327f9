#include "app/project.h"

#include "app/bookmarks.h"
#include "app/last_session.h"
#include "app/workspace.h"
#include "document/assumed_sizes.h"
#include "document/custom_operators.h"
#include "document/remade_runs.h"
#include "document/text.h"
#include "io/side_files/project_source.h"
#include "panes/source_pane.h"

#include <QFileInfo>
#include <QJsonDocument>
#include <QJsonObject>

#include <algorithm>

namespace sunder {
namespace {

const QString kSource = QStringLiteral("source");
const QString kPanes = QStringLiteral("panes");
const QString kGraph = QStringLiteral("graph");
const QString kSight = QStringLiteral("sight");

QJsonObject sightJson(const GraphSight& sight)
{
    return QJsonDocument::fromJson(textOfSight(sight).toUtf8()).object();
}

std::optional<GraphSight> sightIn(const QJsonValue& json)
{
    return sightOfText(QString::fromUtf8(QJsonDocument(json.toObject()).toJson(QJsonDocument::Compact)));
}

} // namespace

Project::Project(const Parts& parts, QObject* parent) : QObject(parent), m_parts(parts)
{
    connect(&parts.document, &Document::changed, this, [this](Changes what) {
        if (what.testFlag(Change::program))
            forget(what.testFlag(Change::opened));
        if (what.testFlag(Change::sizes))
            makeRuns();
    });
    connect(&parts.workflow, &Workflow::opened, this, &Project::learnMark);
    connect(&parts.workflow, &Workflow::projectOpened, this,
            [this](const QString&, const std::shared_ptr<const OpenedProject>& project) { restore(*project); });
    // Without assumed sizes there is no new snapshot to wait for.
    connect(
        &parts.sizes, &AssumedSizes::changed, this,
        [this] {
            if (m_parts.sizes.isKnown() && m_parts.sizes.beyondFile().empty())
                makeRuns();
        },
        Qt::QueuedConnection);
}

void Project::forget(bool isOther)
{
    m_underWay = 0;
    m_awaitsSizes = false;
    m_mark.reset();
    if (!isOther) { // same document, reloaded file
        learnMark();
        return;
    }
    m_rest = {};
    m_waiting.clear();
    m_parts.bookmarks.take({});
}

/// Computes the mark of the model in the background: reads all names of the graph, and the whole file if it is not an archive.
void Project::learnMark()
{
    const SnapshotPtr snapshot = m_parts.document.snapshot();
    m_parts.jobs.start<SourceMark>(
        {.key = QStringLiteral("mark"), .title = tr("Compute the model's fingerprint"), .quiet = true},
        [snapshot](ProgressMonitor& monitor) -> Result<SourceMark> { return markOf(snapshot->program, monitor); }, this,
        [this, snapshot](Result<SourceMark> mark) {
            if (mark && m_parts.document.isOf(snapshot))
                m_mark = std::move(*mark);
        });
}

// Writing -----------------------------------------------------------------------------------------

ProjectState Project::state() const
{
    ProjectState state = projectStateOf(m_parts.document);
    state.rest = m_rest;
    state.rest.bookmarks = m_parts.bookmarks.all();
    state.rest.runs = m_waiting;
    if (!m_awaitsSizes) // until then, m_rest holds the sizes of the file
        state.rest.sizes = m_parts.sizes.beyondFile();
    state.rest.operatorsFile = m_parts.operators.path().toStdString();
    state.rest.view = viewText();
    state.rest.arrangement = m_parts.workspace.saveArrangement().toBase64().toStdString();
    state.mark = m_mark;
    return state;
}

std::string Project::viewText() const
{
    QJsonObject view;
    if (const std::optional<GraphSight> sight = m_parts.workspace.source().view().sight())
        view[kSource] = sightJson(*sight);
    QJsonObject panes;
    for (const auto& [id, pane] : m_parts.workspace.namedPanes()) {
        GraphView* graph = pane->isVisible() ? pane->graphInFront() : nullptr;
        if (graph == nullptr || graph->program() == nullptr)
            continue;
        if (const std::optional<GraphSight> sight = graph->sight())
            panes[id] = QJsonObject{{kGraph, static_cast<int>(graph->graphId().index())}, {kSight, sightJson(*sight)}};
    }
    if (!panes.isEmpty())
        view[kPanes] = panes;
    return view.isEmpty() ? std::string() : QJsonDocument(view).toJson(QJsonDocument::Compact).toStdString();
}

// Opening -----------------------------------------------------------------------------------------

void Project::restore(const OpenedProject& project)
{
    m_rest = project.file;
    m_waiting = std::exchange(m_rest.runs, {});
    m_parts.bookmarks.take(project.file.bookmarks);
    const QString operators = text(project.file.operatorsFile);
    if (!operators.isEmpty() && operators != m_parts.operators.path()) {
        if (QFileInfo::exists(operators))
            m_parts.operators.take(operators);
        else
            emit message(tr("The custom operators file of the project no longer exists: %1").arg(visible(operators)));
    }
    if (!project.change || !project.change->isOfGraph)
        if (const auto view = QJsonDocument::fromJson(QByteArray::fromStdString(m_rest.view)).object(); view.contains(kSource))
            if (const std::optional<GraphSight> sight = sightIn(view[kSource]))
                m_parts.workspace.source().view().restore(*sight);
    m_awaitsSizes = !project.file.sizes.empty();
    m_parts.sizes.resume(project.file.sizes);
    if (!m_awaitsSizes) {
        m_awaitsSizes = true;
        makeRuns();
    }
}

void Project::makeRuns()
{
    if (!std::exchange(m_awaitsSizes, false))
        return;
    m_underWay = static_cast<int>(m_waiting.size());
    const std::vector<ProjectRun> runs = m_waiting;
    for (const ProjectRun& run : runs)
        makeRun(run);
    if (runs.empty())
        restoreView();
}

void Project::makeRun(const ProjectRun& run)
{
    const SnapshotPtr snapshot = m_parts.document.snapshot();
    const auto giveUp = [this, number = run.number](const Error& error) {
        emit message(tr("Run %1 of the project could not be repeated and stays in the project file: %2")
                         .arg(number)
                         .arg(text(describe(error))));
        runIsDone();
    };
    Result<PassWork> work = workOfKeptRun(m_parts.document, run);
    if (!work) {
        giveUp(work.error());
        return;
    }
    m_parts.jobs.start<RunResult>(
        {.key = QStringLiteral("run %1 again").arg(run.number), .title = tr("Repeat run %1 of the project").arg(run.number)},
        [snapshot, work = std::move(*work)](ProgressMonitor& monitor) { return work(snapshot, monitor); }, this,
        [this, snapshot, run, giveUp](Result<RunResult> made) {
            if (!m_parts.document.isOf(snapshot))
                return;
            if (!made) {
                giveUp(made.error());
                return;
            }
            std::erase_if(m_waiting, [&run](const ProjectRun& one) { return one.number == run.number; });
            m_parts.document.runs().restore(run.number, text(run.name), *made, run.isShown);
            if (m_parts.document.snapshot() != snapshot)
                m_parts.sizes.catchUp();
            runIsDone();
        });
}

/// Restores the view after the last run, since docks open as results arrive.
void Project::runIsDone()
{
    if (--m_underWay == 0)
        restoreView();
}

void Project::restoreView()
{
    if (!m_rest.arrangement.empty())
        m_parts.workspace.restoreArrangement(QByteArray::fromBase64(QByteArray::fromStdString(m_rest.arrangement)));
    const QJsonObject panes = QJsonDocument::fromJson(QByteArray::fromStdString(m_rest.view)).object()[kPanes].toObject();
    for (const auto& [id, pane] : m_parts.workspace.namedPanes()) {
        const QJsonObject kept = panes[id].toObject();
        if (!kept.isEmpty())
            pane->showGraph(GraphId(static_cast<std::uint32_t>(std::max(0, kept[kGraph].toInt()))));
        GraphView* graph = kept.isEmpty() ? nullptr : pane->graphInFront();
        if (graph == nullptr || graph->program() == nullptr
            || static_cast<int>(graph->graphId().index()) != kept[kGraph].toInt(-1))
            continue;
        if (const std::optional<GraphSight> sight = sightIn(kept[kSight]))
            graph->restore(*sight);
    }
}

} // namespace sunder

#include "moc_project.cpp"
