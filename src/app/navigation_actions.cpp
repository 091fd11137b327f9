#include "app/navigation_actions.h"

#include "analysis/search/find_nodes.h"
#include "analysis/search/node_matcher.h"
#include "analysis/search/reached_nodes.h"
#include "app/view_commands.h"
#include "app/workspace.h"
#include "canvas/canvas_widget.h"
#include "dialogs/quick_pick.h"
#include "document/document.h"
#include "document/text.h"
#include "ir/printer.h"
#include "panes/graph_view.h"
#include "panes/run_graph_view.h"
#include "panes/source_pane.h"

#include <QApplication>
#include <QClipboard>
#include <QDockWidget>
#include <QSettings>

#include <algorithm>
#include <functional>

namespace sunder {

class SourcePane;

/// Navigation history, as in a browser: the selection, open modules, and view of the source at the time of leaving. Each
/// selection and each jump adds an entry.
class Places final : public QObject {
    Q_OBJECT

public:
    Places(Document& document, SourcePane& source, QObject* parent = nullptr);

    [[nodiscard]] bool canGoBack() const { return m_at > 0; }
    [[nodiscard]] bool canGoForward() const { return m_at + 1 < m_places.size(); }
    void back();
    void forward();

signals:
    void changed();

private:
    struct Place {
        std::vector<NodeId> nodes;
        QString what;
        NodeId focus; ///< single selected node, including nodes folded into its box; otherwise invalid
        std::optional<SelectedEdge> edge;
        std::optional<GraphSight> sight; ///< view when the entry was left
    };
    /// Returns the entry for the current selection.
    [[nodiscard]] Place here() const;
    [[nodiscard]] bool isHere(const Place& place) const;
    /// Stores the view in the current entry before leaving it.
    void leave();
    /// Appends the current selection.
    void add();
    void go(std::size_t to);

    Document& m_document;
    SourcePane& m_source;
    std::vector<Place> m_places;
    std::size_t m_at = 0; ///< index of the current entry
    bool m_going = false;
};

constexpr std::size_t kMaxPlaces = 100;

Places::Places(Document& document, SourcePane& source, QObject* parent) : QObject(parent), m_document(document), m_source(source)
{
    connect(&document.marks(), &Marks::aboutToSelect, this, [this] {
        if (!m_going)
            leave();
    });
    connect(&source.view(), &GraphView::aboutToGo, this, [this] {
        leave();
        add();
    });
    connect(&document, &Document::changed, this, [this](Changes what) {
        if (what.testFlag(Change::program)) {
            m_places.clear();
            m_at = 0;
            emit changed();
        } else if (what.testFlag(Change::selection) && !m_going && !m_document.marks().selection().empty()
                   && (m_places.empty() || !isHere(m_places[m_at]))) {
            add();
        }
    });
}

Places::Place Places::here() const
{
    const Selection& selection = m_document.marks().selection();
    return {selection.source, selection.what, selection.run == 0 ? selection.focus.node : NodeId(), selection.edge, {}};
}

bool Places::isHere(const Place& place) const
{
    const Selection& selection = m_document.marks().selection();
    const auto endsOf = [](const std::optional<SelectedEdge>& edge) { return edge ? std::optional(edge->ends()) : std::nullopt; };
    return place.nodes == selection.source && endsOf(place.edge) == endsOf(selection.edge);
}

void Places::leave()
{
    if (m_places.empty()) // start position
        m_places.push_back(here());
    m_places[m_at].sight = m_source.view().sight();
}

void Places::add()
{
    m_places.resize(m_at + 1); // drop the forward entries
    m_places.push_back(here());
    if (m_places.size() > kMaxPlaces)
        m_places.erase(m_places.begin());
    m_at = m_places.size() - 1;
    emit changed();
}

void Places::back()
{
    if (canGoBack())
        go(m_at - 1);
}

void Places::forward()
{
    if (canGoForward())
        go(m_at + 1);
}

void Places::go(std::size_t to)
{
    m_going = true;
    leave();
    m_at = to;
    const Place place = m_places[m_at];
    if (place.edge)
        m_document.marks().selectEdge(*place.edge);
    else
        m_document.marks().select(place.nodes, place.what, place.focus);
    if (place.sight)
        m_source.view().restore(*place.sight);
    m_going = false;
    emit changed();
}

namespace {

const QString kRecentCommands = QStringLiteral("palette/recent");
constexpr qsizetype kMaxRecent = 30;

/// Copies one line per selected node, in graph order: from the graph in front, else from the source. For a selected edge, copies
/// its values.
void copyLines(const Document& document, Workspace& workspace, const std::function<std::string(const Graph&, NodeId)>& lineOf)
{
    const GraphView& front = graphInFront(workspace);
    const auto* ofRun = qobject_cast<const RunGraphView*>(&front);
    const bool isInFront = ofRun != nullptr && ofRun->program() != nullptr
        && (!ofRun->selectedHere().empty() || document.marks().selection().edgeIn(ofRun->run(), ofRun->graphId()));
    const Graph& graph = isInFront ? ofRun->program()->graph(ofRun->graphId()) : document.graph();
    const std::optional<SelectedEdge>& edge = document.marks().selection().edge;
    NodeSet wanted(isInFront ? ofRun->selectedHere() : document.marks().selection().source);
    if (edge && edge->run == (isInFront ? ofRun->run() : 0))
        for (const ValueBetween& value : edge->values)
            wanted.insert(value.value);
    QStringList lines;
    if (!wanted.empty())
        for (const NodeId id : graph.nodes())
            if (wanted.contains(id))
                lines << text(lineOf(graph, id));
    if (!lines.isEmpty())
        QGuiApplication::clipboard()->setText(lines.join(u'\n'));
}

/// Makes Ctrl+C copy node names in every graph. Lists, fields, and code views have their own copy command.
void copyInEveryGraph(QAction* copyNames, Workspace& workspace)
{
    QObject::connect(qApp, &QApplication::focusChanged, &workspace, [copyNames, &workspace](QWidget*, QWidget* now) {
        if (qobject_cast<CanvasWidget*>(now) != nullptr && workspace.isAncestorOf(now))
            now->addAction(copyNames);
    });
    workspace.source().canvas().addAction(copyNames);
}

/// Returns the title under which a command is remembered: without mnemonic and ellipsis.
QString titleOf(const QAction& action)
{
    return plainTitle(action.text());
}

/// Returns the commands of the command palette: recently used ones first, then in registration order.
std::vector<QAction*> commandsOf(const QWidget& window, const Actions& actions)
{
    QList<QAction*> all = window.actions();
    for (QAction* action : actions.painting) // these shortcuts work only in some widgets
        all << action;
    all << actions.copyNames;
    const QStringList recent = QSettings().value(kRecentCommands).toStringList();
    std::vector<QAction*> commands;
    for (QAction* action : all)
        if (action != actions.palette && !action->text().isEmpty())
            commands.push_back(action);
    std::ranges::stable_sort(commands, {}, [&](const QAction* action) {
        const qsizetype at = recent.indexOf(titleOf(*action));
        return at < 0 ? recent.size() : at;
    });
    return commands;
}

void showPalette(const Actions& actions, QWidget& window)
{
    const std::vector<QAction*> commands = commandsOf(window, actions);
    std::vector<QuickPick::Choice> choices;
    for (std::size_t i = 0; i < commands.size(); ++i)
        choices.push_back({titleOf(*commands[i]), commands[i]->shortcut().toString(QKeySequence::NativeText), static_cast<int>(i),
                           commands[i]->isEnabled()});
    auto* dialog = new QuickPick(QObject::tr("Commands"), std::move(choices), &window);
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    QObject::connect(dialog, &QuickPick::picked, &window, [commands](int id) {
        QAction* action = commands[static_cast<std::size_t>(id)];
        QStringList recent = QSettings().value(kRecentCommands).toStringList();
        recent.removeAll(titleOf(*action));
        recent.prepend(titleOf(*action));
        QSettings().setValue(kRecentCommands, recent.mid(0, kMaxRecent));
        if (auto* dock = qobject_cast<QDockWidget*>(action->parent())) { // never hides a pane
            dock->show();
            dock->raise();
        } else {
            action->trigger();
        }
    });
    dialog->open();
}

/// Entries of "Go to": the modules of a model, then its nodes.
struct Destinations {
    SnapshotPtr snapshot;
    std::vector<ModulePlace> modules;
    std::vector<NodeId> nodes;

    [[nodiscard]] QuickPick::Choice choice(std::size_t place) const
    {
        const int id = static_cast<int>(place);
        if (place < modules.size())
            return {text(modules[place].path), text(unqualifiedClass(modules[place].cls.view())), id};
        const Node& node = snapshot->graph()[nodes[place - modules.size()]];
        const QString what = brief(text(node.isCall() ? node.target.view() : name(node.op)), 40);
        const QString module = text(modulePathOf(snapshot->program, node));
        return {text(node.name.view()), module.isEmpty() ? what : QStringLiteral("%1 · %2").arg(what, brief(module, 40)), id};
    }
};

std::shared_ptr<const Destinations> destinationsOf(const SnapshotPtr& snapshot)
{
    return std::make_shared<const Destinations>(
        Destinations{snapshot, modulePlaces(snapshot->program), snapshot->graph().order()});
}

/// Opens the enclosing modules of an entry and selects it.
void goTo(const Destinations& all, std::size_t place, Document& document, GraphView& view)
{
    const bool isModule = place < all.modules.size();
    const std::string path = isModule ? all.modules[place].path : std::string();
    const std::vector<NodeId> nodes = isModule ? nodesIn(all.snapshot->program, path)
                                               : std::vector{all.nodes[place - all.modules.size()]};
    document.marks().select(nodes, exact(path));
    view.openTowards(exact(path), nodes);
}

/// Shows the dialog that finds a module by path or a node by name.
void showGoTo(Document& document, Workspace& workspace, QWidget& window)
{
    const std::shared_ptr<const Destinations> all = destinationsOf(document.snapshot());
    QuickPick::Source source{.texts = {}, .choiceOf = [all](std::size_t place) { return all->choice(place); }};
    source.texts.reserve(all->modules.size() + all->nodes.size());
    for (const ModulePlace& module : all->modules)
        source.texts.emplace_back(module.path);
    for (const NodeId id : all->nodes)
        source.texts.push_back(all->snapshot->graph()[id].name.view());
    auto* dialog = new QuickPick(QObject::tr("Go to"), std::move(source), &window);
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    QObject::connect(dialog, &QuickPick::picked, &window, [&document, &workspace, all](int place) {
        if (document.isOf(all->snapshot))
            goTo(*all, static_cast<std::size_t>(place), document, workspace.source().view());
    });
    dialog->open();
}

void connectPlaces(const Actions& actions, Document& document, Workspace& workspace)
{
    auto* places = new Places(document, workspace.source(), &workspace);
    const auto show = [back = actions.back, forward = actions.forward, places] {
        back->setEnabled(places->canGoBack());
        forward->setEnabled(places->canGoForward());
    };
    QObject::connect(places, &Places::changed, &workspace, show);
    QObject::connect(actions.back, &QAction::triggered, places, &Places::back);
    QObject::connect(actions.forward, &QAction::triggered, places, &Places::forward);
    show();
}

void selectEqualOnes(Document& document)
{
    const Selection& selection = document.marks().selection();
    std::vector<NodeId> equal;
    if (!selection.what.isEmpty())
        equal = inEqualModules(document.snapshot()->program, selection.what.toStdString());
    document.marks().select(equal.empty() ? sameOperations(document.graph(), selection.source) : equal);
}

} // namespace

void connectGoing(const Actions& actions, Document& document, Workspace& workspace, QWidget& window)
{
    const auto on = [&document](QAction* action, auto what) {
        QObject::connect(action, &QAction::triggered, &document, [&document, what] {
            if (document.isOpen())
                what();
        });
    };
    connectPlaces(actions, document, workspace);
    on(actions.goTo, [&document, &workspace, &window] { showGoTo(document, workspace, window); });
    on(actions.selectEqual, [&document] { selectEqualOnes(document); });
    on(actions.selectNeeded,
       [&document] { document.marks().select(withAllNeeded(document.graph(), document.marks().selection().source)); });
    on(actions.selectNeeding,
       [&document] { document.marks().select(withAllNeeding(document.graph(), document.marks().selection().source)); });
    on(actions.copyNames, [&document, &workspace] {
        copyLines(document, workspace, [](const Graph& graph, NodeId id) { return graph[id].name.str(); });
    });
    on(actions.copyPrinted, [&document, &workspace] {
        copyLines(document, workspace, [](const Graph& graph, NodeId id) { return printNode(graph, id); });
    });
    copyInEveryGraph(actions.copyNames, workspace);
    QObject::connect(actions.openOrClose, &QAction::triggered, &workspace, [&workspace] {
        GraphView& view = graphInFront(workspace);
        const ItemId item = view.canvas().currentItem();
        if (view.canvas().picture() && item)
            view.toggle(item, text(view.canvas().picture()->items[item.index()].key), false);
    });
    QObject::connect(actions.palette, &QAction::triggered, &window, [&actions, &window] { showPalette(actions, window); });
}

} // namespace sunder

#include "navigation_actions.moc"
