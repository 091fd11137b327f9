#include "app/view_commands.h"

#include "app/workspace.h"
#include "canvas/canvas_widget.h"
#include "canvas/gestures.h"
#include "panels/zoom_field.h"
#include "panes/flow_settings.h"
#include "panes/graph_view.h"
#include "panes/source_pane.h"

#include <QApplication>
#include <QPointer>

#include <functional>
#include <memory>

namespace sunder {
namespace {

constexpr double kMenuZoomStep = 1.25;

/// Returns the enclosing pane of the widget, or null.
Pane* paneAround(QWidget* widget)
{
    for (QWidget* at = widget; at != nullptr; at = at->parentWidget()) { // docks can be separate windows
        if (auto* pane = qobject_cast<Pane*>(at))
            return pane;
        if (auto* header = qobject_cast<PaneHeader*>(at)) // title bar of a dock
            return &header->pane();
    }
    return nullptr;
}

/// Returns the focused pane, else the source.
Pane& paneInFront(Workspace& workspace)
{
    Pane* pane = paneAround(QApplication::focusWidget());
    return pane != nullptr && pane->zooms() ? *pane : static_cast<Pane&>(workspace.source());
}

} // namespace

GraphView& graphInFront(Workspace& workspace)
{
    for (QWidget* at = QApplication::focusWidget(); at != nullptr; at = at->parentWidget())
        if (auto* view = qobject_cast<GraphView*>(at)) // in a pane with several graphs
            return *view;
    GraphView* view = paneInFront(workspace).graphInFront();
    return view != nullptr ? *view : workspace.source().view();
}

void connectZoomField(ZoomField& field, Workspace& workspace)
{
    // Determine the pane for each call: it may no longer have anything to zoom. Null while the window is being destroyed.
    const auto front = [source = QPointer<Pane>(&workspace.source()), last = QPointer<Pane>()]() mutable -> Pane* {
        if (Pane* pane = paneAround(QApplication::focusWidget()); pane != nullptr && source)
            last = pane;
        return source && last && last->isVisible() && last->zooms() ? last : source;
    };
    const auto ask = std::make_shared<std::function<Pane*()>>(front);
    const auto show = [&field, ask] {
        if (Pane* pane = (*ask)())
            field.setZoom(pane->zoom());
    };
    QObject::connect(qApp, &QApplication::focusChanged, &field, show);
    std::vector<Pane*> panes{&workspace.source()};
    for (const auto& [name, pane] : workspace.namedPanes())
        panes.push_back(pane);
    for (Pane* pane : panes) {
        QObject::connect(pane, &Pane::zoomed, &field, show);
        QObject::connect(pane, &Pane::graphShown, &field, show);
    }
    QObject::connect(&field, &ZoomField::zoomWanted, &workspace, [ask](double zoom) {
        if (Pane* pane = (*ask)())
            pane->setZoom(zoom);
    });
    QObject::connect(&field, &ZoomField::message, &workspace, &Workspace::message);
    QObject::connect(&field, &ZoomField::left, &workspace, [ask] {
        Pane* pane = (*ask)();
        GraphView* graph = pane == nullptr ? nullptr : pane->graphInFront();
        if (graph != nullptr)
            graph->canvas().setFocus();
        else if (pane != nullptr)
            pane->setFocus();
    });
    show();
}

void connectViewCommands(const Actions& actions, Workspace& workspace)
{
    const auto on = [&workspace](QAction* action, auto what) { QObject::connect(action, &QAction::triggered, &workspace, what); };
    on(actions.fit, [&workspace] { paneInFront(workspace).showAll(); });
    on(actions.zoomIn, [&workspace] { paneInFront(workspace).zoomBy(kMenuZoomStep); });
    on(actions.zoomOut, [&workspace] { paneInFront(workspace).zoomBy(1 / kMenuZoomStep); });
    on(actions.actualSize, [&workspace] { paneInFront(workspace).setZoom(1); });
    on(actions.zoomToSelection, [&workspace] {
        if (!graphInFront(workspace).canvas().zoomToSelection())
            emit workspace.message(QObject::tr("Nothing is selected in the graph. Select the nodes to zoom to."));
    });
    on(actions.isolate, [&workspace] {
        GraphView& view = graphInFront(workspace);
        const std::vector<NodeId> selected = view.canvas().scene().style().selected.nodes();
        if (view.isIsolated())
            view.leaveIsolation();
        else if (selected.empty())
            emit workspace.message(QObject::tr("Nothing is selected in the graph. Select the nodes to isolate."));
        else
            view.isolate(selected);
    });
    on(actions.openAll, [&workspace] { graphInFront(workspace).openAll(); });
    on(actions.foldAll, [&workspace] { graphInFront(workspace).foldAll(); });
    on(actions.firstSight, [&workspace] { graphInFront(workspace).showFirstSight(); });
    actions.oneColumn->setChecked(isOneColumnWanted());
    QObject::connect(actions.oneColumn, &QAction::toggled, &workspace, [&workspace](bool isOn) {
        wantOneColumn(isOn);
        for (GraphView* view : workspace.window()->findChildren<GraphView*>())
            view->setOneColumn(isOn);
    });
    actions.showSequence->setChecked(SequencePanel::isWanted());
    QObject::connect(actions.showSequence, &QAction::toggled, &workspace, [&workspace](bool isOn) {
        SequencePanel::want(isOn);
        workspace.source().sequence().setVisible(isOn);
    });
    actions.toTheRight->setChecked(wantedDirection() == FlowDirection::right);
    QObject::connect(actions.toTheRight, &QAction::toggled, &workspace, [&workspace](bool isOn) {
        const FlowDirection direction = isOn ? FlowDirection::right : FlowDirection::down;
        wantDirection(direction);
        for (GraphView* view : workspace.window()->findChildren<GraphView*>())
            view->setDirection(direction);
    });
    actions.showAssertions->setChecked(areAssertionsWanted());
    QObject::connect(actions.showAssertions, &QAction::toggled, &workspace, [&workspace](bool isOn) {
        wantAssertions(isOn);
        for (GraphView* view : workspace.window()->findChildren<GraphView*>())
            view->setAssertions(isOn);
    });
    actions.wheelMoves->setChecked(Wheel::moves());
    QObject::connect(actions.wheelMoves, &QAction::toggled, &workspace, [&workspace](bool isOn) {
        Wheel::setMoves(isOn);
        for (CanvasWidget* canvas : workspace.window()->findChildren<CanvasWidget*>()) // legends describe the wheel
            canvas->update();
    });
    on(actions.up, [&workspace] { emit graphInFront(workspace).canvas().goUpRequested(); }); // same as its shortcut
    CanvasWidget* canvas = &workspace.source().canvas();
    for (std::size_t i = 0; i < actions.tool.size(); ++i)
        on(actions.tool[i], [canvas, i] {
            canvas->setTool(static_cast<ToolKind>(i));
            canvas->setFocus();
        });
    for (std::size_t i = 0; i < actions.fillScopes.size(); ++i)
        on(actions.fillScopes[i], [&workspace, fill = actions.tool[static_cast<std::size_t>(ToolKind::fill)], i] {
            fill->trigger();
            workspace.source().fills().setScope(kFillScopes[i].scope);
        });
    on(actions.largerBrush, [canvas] { canvas->widen(true); });
    on(actions.smallerBrush, [canvas] { canvas->widen(false); });
}

} // namespace sunder
