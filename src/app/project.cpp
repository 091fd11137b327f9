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
#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>

#include <algorithm>

namespace sunder {
namespace {

const QString kSource = QStringLiteral("source");
const QString kPanes = QStringLiteral("panes");
const QString kGraph = QStringLiteral("graph");
const QString kSight = QStringLiteral("sight");
const QString kOnly = QStringLiteral("only"); ///< isolated nodes
const QString kState = QStringLiteral("state");
const QString kMaximized = QStringLiteral("maximized");

QJsonObject sightJson(const GraphSight& sight)
{
    return QJsonDocument::fromJson(textOfSight(sight).toUtf8()).object();
}

/// Returns the names of the isolated nodes; empty if everything is drawn, or for more nodes than a project should list.
QJsonArray isolatedIn(const GraphView& view)
{
    constexpr std::size_t kMostNames = 10'000;
    QJsonArray names;
    if (view.program() != nullptr && view.isolated().size() <= kMostNames)
        for (const NodeId id : view.isolated())
            names << exact(view.program()->graph(view.graphId())[id].name.view());
    return names;
}

void restoreGraph(GraphView& view, const GraphSight& sight, const QJsonArray& only)
{
    std::vector<NodeId> nodes;
    for (const QJsonValue& name : only)
        if (const NodeId id = view.program()->graph(view.graphId()).find(intern(name.toString().toStdString())))
            nodes.push_back(id);
    if (nodes.empty())
        view.restore(sight);
    else
        view.restoreIsolated(sight, std::move(nodes));
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
    if (!isRestoring()) { // until then, m_rest holds the view of the file
        state.rest.view = viewText();
        state.rest.arrangement = m_parts.workspace.saveArrangement().toBase64().toStdString();
    }
    state.mark = m_mark;
    return state;
}

std::string Project::viewText() const
{
    QJsonObject view;
    SourcePane& source = m_parts.workspace.source();
    if (const std::optional<GraphSight> sight = source.view().sight()) {
        view[kSource] = sightJson(*sight);
        if (const QJsonArray only = isolatedIn(source.view()); !only.isEmpty())
            view[kOnly] = only;
    }
    if (const QJsonObject state = source.viewState(); !state.isEmpty())
        view[kState] = state;
    QJsonObject panes;
    for (const auto& [id, pane] : m_parts.workspace.namedPanes()) {
        QJsonObject kept;
        if (const QJsonObject state = pane->viewState(); !state.isEmpty())
            kept[kState] = state;
        GraphView* graph = pane->isVisible() ? pane->graphInFront() : nullptr;
        const std::optional<GraphSight> sight = graph != nullptr ? graph->sight() : std::nullopt;
        if (sight) {
            kept[kGraph] = static_cast<int>(graph->graphId().index());
            kept[kSight] = sightJson(*sight);
            if (const QJsonArray only = isolatedIn(*graph); !only.isEmpty())
                kept[kOnly] = only;
        }
        if (!kept.isEmpty())
            panes[id] = kept;
        if (pane == m_parts.workspace.maximized())
            view[kMaximized] = id;
    }
    if (m_parts.workspace.maximized() == &source)
        view[kMaximized] = kSource;
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
                restoreGraph(m_parts.workspace.source().view(), *sight, view[kOnly].toArray());
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
        if (isFault(error))
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
    const QJsonObject view = QJsonDocument::fromJson(QByteArray::fromStdString(m_rest.view)).object();
    const QJsonObject panes = view[kPanes].toObject();
    m_parts.workspace.source().restoreViewState(view[kState].toObject());
    for (const auto& [id, pane] : m_parts.workspace.namedPanes()) // before the docks, which are shown if they have content
        pane->restoreViewState(panes[id].toObject()[kState].toObject());
    if (!m_rest.arrangement.empty())
        m_parts.workspace.restoreArrangement(QByteArray::fromBase64(QByteArray::fromStdString(m_rest.arrangement)));
    Pane* maximized = view[kMaximized].toString() == kSource ? &m_parts.workspace.source() : nullptr;
    for (const auto& [id, pane] : m_parts.workspace.namedPanes()) {
        if (const QJsonObject kept = panes[id].toObject(); kept.contains(kSight)) {
            pane->showGraph(GraphId(static_cast<std::uint32_t>(std::max(0, kept[kGraph].toInt()))));
            restoreSight(*pane, kept);
        }
        if (view[kMaximized].toString() == id && pane->isVisible())
            maximized = pane;
    }
    if (maximized != nullptr && m_parts.workspace.maximized() == nullptr)
        m_parts.workspace.toggleMaximized(*maximized);
}

void Project::restoreSight(Pane& pane, const QJsonObject& kept)
{
    const std::optional<GraphSight> sight = sightIn(kept[kSight]);
    const auto restore = [&pane, sight, kept] {
        GraphView* graph = pane.graphInFront();
        if (graph == nullptr || graph->program() == nullptr)
            return false;
        if (static_cast<int>(graph->graphId().index()) == kept[kGraph].toInt(-1))
            restoreGraph(*graph, *sight, kept[kOnly].toArray());
        return true;
    };
    if (sight && !restore()) // a job computes the content of the pane
        connect(&pane, &Pane::graphShown, this, [restore] { restore(); }, Qt::SingleShotConnection);
}

} // namespace sunder

#include "moc_project.cpp"
