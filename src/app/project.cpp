#include "app/project.h"

#include "app/bookmarks.h"
#include "app/sight_text.h"
#include "app/workspace.h"
#include "document/assumed_sizes.h"
#include "document/custom_operators.h"
#include "document/text.h"
#include "io/side_files/project_source.h"
#include "panes/source_pane.h"
#include "support/json_writer.h"

#include <QFileInfo>

#include <algorithm>

namespace sunder {
namespace {

// Members of `view` and of its panes.
constexpr const char* kSource = "source";
constexpr const char* kPanes = "panes";
constexpr const char* kGraph = "graph";
constexpr const char* kSight = "sight";
constexpr const char* kOnly = "only"; ///< isolated nodes
constexpr const char* kState = "state";
constexpr const char* kMaximized = "maximized";

/// Writes the names of the isolated nodes; nothing if everything is drawn, or for more nodes than a project should list.
void writeIsolated(JsonWriter& json, const GraphView& view)
{
    constexpr std::size_t kMostNames = 10'000;
    if (view.program() == nullptr || view.isolated().empty() || view.isolated().size() > kMostNames)
        return;
    json.key(kOnly);
    json.list(view.isolated(), [&](NodeId id) { json.value(view.program()->graph(view.graphId())[id].name.view()); });
}

std::vector<InternedString> namesIn(JsonValue list)
{
    std::vector<InternedString> names;
    for (JsonValue name = list.firstItem(); name; name = name.nextItem())
        names.push_back(intern(name.textOr({})));
    return names;
}

void restoreGraph(GraphView& view, const GraphSight& sight, const std::vector<InternedString>& only)
{
    std::vector<NodeId> nodes;
    for (const InternedString name : only)
        if (const NodeId id = view.program()->graph(view.graphId()).find(name))
            nodes.push_back(id);
    if (nodes.empty())
        view.restore(sight);
    else
        view.restoreIsolated(sight, std::move(nodes));
}

/// Returns the position of a pane as a JSON object; empty if there is nothing to keep.
std::string textOfPane(Pane& pane)
{
    const std::string state = pane.viewState();
    GraphView* graph = pane.isVisible() ? pane.graphInFront() : nullptr;
    const std::optional<GraphSight> sight = graph != nullptr ? graph->sight() : std::nullopt;
    if (state.empty() && !sight)
        return {};
    JsonWriter json(0);
    json.object([&] {
        if (sight) {
            json.member(kGraph, graph->graphId().index());
            writeIsolated(json, *graph);
            json.rawMember(kSight, textOfSight(*sight));
        }
        json.rawMember(kState, state);
    });
    return json.takeRaw();
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
    SourcePane& source = m_parts.workspace.source();
    const Pane* maximized = m_parts.workspace.maximized();
    std::string maximizedName = maximized == &source ? kSource : "";
    std::vector<std::pair<std::string, std::string>> panes;
    for (const auto& [id, pane] : m_parts.workspace.namedPanes()) {
        if (std::string kept = textOfPane(*pane); !kept.empty())
            panes.emplace_back(id.toStdString(), std::move(kept));
        if (pane == maximized)
            maximizedName = id.toStdString();
    }
    std::ranges::sort(panes);
    JsonWriter json(0);
    json.object([&] {
        json.memberIfAny(kMaximized, maximizedName);
        const std::optional<GraphSight> sight = source.view().sight();
        if (sight)
            writeIsolated(json, source.view());
        if (!panes.empty()) {
            json.key(kPanes);
            json.object([&] {
                for (const auto& [id, kept] : panes)
                    json.rawMember(id, kept);
            });
        }
        if (sight)
            json.rawMember(kSource, textOfSight(*sight));
        json.rawMember(kState, source.viewState());
    });
    std::string text = json.takeRaw();
    return text == "{}" ? std::string() : text;
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
        if (JsonTape tape; tape.parse(m_rest.view, kMaxProjectDepth))
            if (const std::optional<GraphSight> sight = sightOfJson(tape.root().member(kSource)))
                restoreGraph(m_parts.workspace.source().view(), *sight, namesIn(tape.root().member(kOnly)));
    m_parts.document.costs().resume(project.file.costs, text(project.file.costsSource), project.file.nodeData);
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
    const auto reportFailure = [this, number = run.number](const Error& error) {
        if (isFault(error))
            emit message(tr("Run %1 of the project could not be repeated and stays in the project file: %2")
                             .arg(number)
                             .arg(text(describe(error))));
        runIsDone();
    };
    Result<PassWork> work = workOfKeptRun(m_parts.document, run);
    if (!work) {
        reportFailure(work.error());
        return;
    }
    m_parts.jobs.start<RunResult>(
        {.key = QStringLiteral("run %1 again").arg(run.number), .title = tr("Repeat run %1 of the project").arg(run.number)},
        [snapshot, work = std::move(*work)](ProgressMonitor& monitor) { return work(snapshot, monitor); }, this,
        [this, snapshot, run, reportFailure](Result<RunResult> made) {
            if (!m_parts.document.isOf(snapshot))
                return;
            if (!made) {
                reportFailure(made.error());
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
    JsonTape tape;
    const JsonValue view = tape.parse(m_rest.view, kMaxProjectDepth) ? tape.root() : JsonValue();
    const auto keptOf = [panes = view.member(kPanes)](const QString& id) { return panes.member(id.toStdString()); };
    m_parts.workspace.source().restoreViewState(view.member(kState));
    for (const auto& [id, pane] : m_parts.workspace.namedPanes()) // before the docks, which are shown if they have content
        pane->restoreViewState(keptOf(id).member(kState));
    if (!m_rest.arrangement.empty())
        m_parts.workspace.restoreArrangement(QByteArray::fromBase64(QByteArray::fromStdString(m_rest.arrangement)));
    const std::string_view maximizedName = view.member(kMaximized).textOr({});
    Pane* maximized = maximizedName == kSource ? &m_parts.workspace.source() : nullptr;
    for (const auto& [id, pane] : m_parts.workspace.namedPanes()) {
        if (const JsonValue kept = keptOf(id); kept.member(kGraph)) {
            pane->showGraph(GraphId(static_cast<std::uint32_t>(std::max(0, kept.member(kGraph).intOr(0)))));
            restoreSight(*pane, kept);
        }
        if (id.toStdString() == maximizedName && pane->isVisible())
            maximized = pane;
    }
    if (maximized != nullptr && m_parts.workspace.maximized() == nullptr)
        m_parts.workspace.toggleMaximized(*maximized);
}

void Project::restoreSight(Pane& pane, JsonValue kept)
{
    const std::optional<GraphSight> sight = sightOfJson(kept.member(kSight));
    const auto restore = [&pane, sight, of = kept.member(kGraph).intOr(-1), only = namesIn(kept.member(kOnly))] {
        GraphView* graph = pane.graphInFront();
        if (graph == nullptr || graph->program() == nullptr)
            return false;
        if (static_cast<int>(graph->graphId().index()) == of)
            restoreGraph(*graph, *sight, only);
        return true;
    };
    if (sight && !restore()) // a job computes the content of the pane
        connect(&pane, &Pane::graphShown, this, [restore] { restore(); }, Qt::SingleShotConnection);
}

} // namespace sunder

#include "moc_project.cpp"
