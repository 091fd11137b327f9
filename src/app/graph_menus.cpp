#include "app/graph_menus.h"

#include "app/workspace.h"
#include "document/text.h"
#include "models/edge_text.h"
#include "models/paint_menu.h"
#include "models/tag_style_of.h"
#include "models/themed_icon.h"
#include "panels/outline_panel.h"
#include "panes/graph_view.h"
#include "panes/regions/regions_pane.h"
#include "panes/source_pane.h"

#include <QClipboard>
#include <QGuiApplication>
#include <QMenu>

#include <algorithm>

namespace sunder {

namespace {

/// Enables each command only where it has an effect.
void addOpenAndClose(QMenu& menu, const ClickedModule& clicked)
{
    GraphView* view = &clicked.view;
    const CanvasScene& scene = view->canvas().scene();
    const ItemId shown = scene.itemWithKey(clicked.key.toStdString());
    const bool isOpen = shown && scene.item(shown).kind == ItemKind::frame;
    const bool opens = shown ? !isOpen && scene.item(shown).canOpen : !clicked.key.isEmpty() && !clicked.nodes.empty();
    const auto toggle = [view, shown, key = clicked.key] { view->toggle(shown, key, false); };
    QAction* open = shown ? menu.addAction(QObject::tr("&Open"), view, toggle)
                          : menu.addAction(QObject::tr("&Open"), view, [view, key = clicked.key, nodes = clicked.nodes] {
                                view->openTowards(key, nodes); // enclosing modules are closed
                            });
    open->setEnabled(opens);
    menu.addAction(QObject::tr("&Close"), view, toggle)->setEnabled(isOpen);
}

constexpr int kLongestEnd = 40; ///< maximum length of a name in a menu

/// Returns the program of the selected edge; null if no edge is selected or its run was removed.
const Program* programOfEdge(const Document& document)
{
    const std::optional<SelectedEdge>& edge = document.marks().selection().edge;
    if (!document.isOpen() || !edge)
        return nullptr;
    if (edge->run == 0)
        return &document.snapshot()->program;
    const Run* run = document.runs().find(edge->run);
    return run == nullptr ? nullptr : programOf(*run);
}

/// Selects nodes in the source or in the program of a run, and scrolls to them.
void select(Document& document, int run, GraphId graph, std::vector<NodeId> nodes)
{
    if (run == 0) {
        document.marks().select(std::move(nodes));
    } else {
        makeSet(nodes);
        std::vector<NodeRef> refs;
        refs.reserve(nodes.size());
        for (const NodeId node : nodes)
            refs.push_back({graph, node});
        document.marks().selectIn(run, std::move(refs));
    }
    document.marks().reveal();
}

} // namespace

void fillSelectionMenu(QMenu& menu, Document& document, const Actions& actions, RegionsPane& regions,
                       const ClickedModule& clicked)
{
    const bool any = !document.marks().selection().source.empty();
    const std::vector<TagLook> looks = tagLooksOf(document, currentTheme());
    for (int tag = 0; tag < std::min(9, document.tagCount()) && any; ++tag)
        menu.addAction(tintedIcon(QStringLiteral("brush"), looks[static_cast<std::size_t>(tag)].style.color),
                       QObject::tr("Paint %1").arg(caption(document.tagName(tag))), &menu,
                       [&document, tag] {
                           const PaintedList selection = paintedSelection(document);
                           document.painting().paintList(selection.nodes, tag, selection.what);
                       })
            ->setEnabled(!document.tagTraits()[static_cast<std::size_t>(tag)].isLocked);
    if (any) {
        addPaintActions(*menu.addMenu(QObject::tr("Paint with another tag")), document, paintedSelection(document));
        menu.addAction(actions.eraseSelection);
        regions.addOccurrenceActions(menu);
        menu.addSeparator();
        addOpenAndClose(menu, clicked);
        if (actions.whyHere->isEnabled())
            menu.addAction(actions.whyHere);
        menu.addActions(
            {actions.selectEqual, actions.selectNeeded, actions.selectNeeding, actions.copyNames, actions.copyPrinted});
        menu.addSeparator();
        menu.addActions({actions.zoomToSelection, actions.isolate, actions.note});
        menu.addSeparator();
    }
    menu.addActions({actions.up, actions.fit, actions.openAll, actions.foldAll, actions.firstSight});
    menu.addSeparator();
    menu.addActions({actions.nextUntagged, actions.stages});
}

void fillEdgeMenu(QMenu& menu, Document& document)
{
    const Program* program = programOfEdge(document);
    if (program == nullptr)
        return;
    const SelectedEdge edge = *document.marks().selection().edge;
    const Graph& graph = program->graph(edge.graph);
    const ValueBetween& first = edge.values.front();
    const auto go = [&](const QString& title, const QString& tip, std::vector<NodeId> nodes) {
        menu.addAction(
                title, &menu,
                [&document, run = edge.run, at = edge.graph, nodes = std::move(nodes)] { select(document, run, at, nodes); })
            ->setToolTip(tip);
    };
    go(QObject::tr("Go to &producer %1").arg(caption(text(graph[first.producer].name), kLongestEnd)),
       QObject::tr("Select the producer of the value and scroll to it"), {first.producer});
    if (!first.readers.empty())
        go(QObject::tr("Go to co&nsumer %1").arg(caption(text(graph[first.readers.front()].name), kLongestEnd)),
           QObject::tr("Select the consumer of the value at this edge and scroll to it"), {first.readers.front()});
    std::vector<NodeId> both;
    for (const ValueBetween& value : edge.values) {
        both.push_back(value.producer);
        both.insert(both.end(), value.readers.begin(), value.readers.end());
    }
    go(QObject::tr("Select &both ends"), QObject::tr("Select all producers and consumers of the values on this edge"),
       std::move(both));
    menu.addSeparator();
    menu.addAction(QObject::tr("&Copy as text"), &menu,
                   [words = edgeLines(*program, edge.graph, edge.values)] { QGuiApplication::clipboard()->setText(words); })
        ->setToolTip(QObject::tr("Copy tensor, shape, bytes, and both ends, one line each"));
    menu.setToolTipsVisible(true);
}

void fillRepairMenu(QMenu& menu, Document& document, const BackwardMark& edge)
{
    const auto concerns = [&](const Problem& problem) {
        const bool isOfOrder = problem.kind == Problem::Kind::backwardEdge || problem.kind == Problem::Kind::orderDependency;
        return isOfOrder && problem.nodes.front() == edge.producer
            && std::find(problem.nodes.begin() + 1, problem.nodes.end(), edge.consumer) != problem.nodes.end();
    };
    const Problems& problems = document.checks().problems();
    const auto problem = std::find_if(problems.begin(), problems.end(), concerns);
    if (problem == problems.end())
        return;
    menu.addAction(caption(text(problem->text), 160))->setEnabled(false);
    menu.addSeparator();
    for (const Repair& repair : problem->repairs)
        menu.addAction(caption(text(repair.label)), &menu, [&document, repair] { document.painting().apply(repair); })
            ->setToolTip(folded(text(repair.tip)));
    for (const BlockedRepair& repair : problem->blocked)
        menu.addAction(caption(text(describe(repair)), 160))->setEnabled(false);
    menu.setToolTipsVisible(true);
}

void connectGraphMenus(const Actions& actions, Document& document, Workspace& workspace, OutlinePanel& outline)
{
    SourcePane* source = &workspace.source();
    const auto showSelection = [&](const QPoint& at, const QString& module, const std::vector<NodeId>& nodes) {
        QMenu menu(workspace.window());
        fillSelectionMenu(menu, document, actions, workspace.regions(), {workspace.source().view(), module, nodes});
        menu.exec(at);
    };
    QObject::connect(source, &SourcePane::menuRequested, &workspace, showSelection);
    QObject::connect(&outline, &OutlinePanel::menuRequested, &workspace, showSelection);
    QObject::connect(&workspace, &Workspace::edgeMenuRequested, &workspace, [&](const QPoint& at) {
        QMenu menu(workspace.window());
        fillEdgeMenu(menu, document);
        if (!menu.isEmpty())
            menu.exec(at);
    });
    QObject::connect(source, &SourcePane::repairsRequested, &workspace, [&, source](int mark, const QPoint& at) {
        const auto& marks = source->canvas().pictureStyle().backward;
        if (mark < 0 || static_cast<std::size_t>(mark) >= marks.size())
            return;
        QMenu menu(workspace.window());
        fillRepairMenu(menu, document, marks[static_cast<std::size_t>(mark)]);
        if (!menu.isEmpty())
            menu.exec(at);
    });
}

} // namespace sunder
