#pragma once

#include "canvas/canvas_widget.h"
#include "document/selection.h"
#include "jobs/jobs.h"
#include "layout/picture/picture_request.h"

#include <QWidget>

#include <functional>

namespace sunder {

namespace Ui {
class GraphView;
}

/// A position in a graph: the open modules and the camera.
struct GraphSight {
    OpenModules open;
    std::shared_ptr<const Picture> columns; ///< where the columns started, see columnsOf()
    Camera camera;
    QSize view;            ///< size of the view that `camera` belongs to
    bool isFitted = false; ///< the whole graph was visible; fit it again in views of any size
};

/// A CanvasWidget that shows a graph: computes pictures in the background, opens and folds modules in place, and finds nodes.
class GraphView : public QWidget {
    Q_OBJECT

public:
    /// `key` distinguishes the jobs of this view from those of other views.
    GraphView(Jobs& jobs, std::shared_ptr<const LayoutEngine> engine, const QString& key, QWidget* parent = nullptr);

    ~GraphView() override;

    /// Replaces the program by another copy with the same graph; the picture stays.
    void exchangeProgram(std::shared_ptr<const Program> same);
    /// Lays the graph out again with the same modules open, because texts changed.
    void redraw();
    /// Shows another graph in its initial state; a null program clears the view. The initial open modules and columns are chosen
    /// for the size in which the graph is first visible. In other sizes the picture is only fitted again.
    void setGraph(std::shared_ptr<const Program> program, GraphId graph, const QString& name, PictureHints hints = {});
    [[nodiscard]] CanvasWidget& canvas() { return *m_canvas; }
    [[nodiscard]] const CanvasWidget& canvas() const { return *m_canvas; }
    [[nodiscard]] GraphId graphId() const { return m_graph; }
    [[nodiscard]] const std::shared_ptr<const Program>& program() const { return m_program; }

    /// Returns the current position, or nothing if there is no picture yet.
    [[nodiscard]] std::optional<GraphSight> sight() const;
    /// Returns to a position: immediately if the same modules are open, otherwise once the picture is drawn.
    void restore(const GraphSight& sight);
    /// Gives the graph the keyboard focus, once it has a picture.
    void takeFocus();
    /// Opens a closed module or closes an open one; `recursive` opens all modules below it.
    void toggle(ItemId item, const QString& key, bool recursive);
    /// Draws only the items of these nodes and their neighbors.
    void isolate(std::vector<NodeId> nodes);
    [[nodiscard]] bool isIsolated() const { return !m_only.empty(); }
    /// Returns the request for the picture as it is, e.g. for an export.
    [[nodiscard]] PictureRequest shownRequest() const;
    /// Returns the isolated nodes; empty if everything is drawn.
    [[nodiscard]] const std::vector<NodeId>& isolated() const { return m_only; }
    /// Isolates nodes of a graph that may not be drawn yet; leaveIsolation() then returns to `whole`.
    void restoreIsolated(const GraphSight& whole, std::vector<NodeId> nodes);
    /// Draws the whole graph again, at the position before isolate().
    void leaveIsolation();
    /// Calls leaveIsolation() if none of these nodes is shown.
    void leaveIsolationFor(const std::vector<NodeId>& wanted);
    /// Selects an edge of the picture.
    void pickEdge(std::uint32_t edge);
    void pickForMenu(std::uint32_t edge, const QPoint& globalPosition);
    /// Returns the description of an edge.
    [[nodiscard]] QString edgeWords(const Picture& picture, const PictureEdge& edge) const;
    void openAll();
    void foldAll();
    /// Restores the initial open modules and shows the whole graph.
    void showFirstSight();
    /// Always uses one column, or wraps tall graphs into as many columns as fit the pane.
    void setOneColumn(bool oneColumn);
    /// Sets the direction of edges and shows the whole graph.
    void setDirection(FlowDirection direction);
    /// Shows or hides assertions and dead ops.
    void setAssertions(bool areShown);
    /// Closes the frame around the current item; returns false if it is in none.
    bool goUp();
    /// Opens the modules that hide these nodes, down to the module at `modulePath` (empty: down to the first node), and shows the
    /// nodes.
    void openTowards(const QString& modulePath, const std::vector<NodeId>& nodes);
    /// Returns the node whose box shows exactly these nodes, e.g. an op with its weights. Invalid for several boxes and for
    /// modules.
    [[nodiscard]] NodeId boxedNode(const std::vector<NodeId>& nodes) const;
    /// Scrolls these nodes into view, or centers them if centering is on.
    void showNodes(const std::vector<NodeId>& nodes);
    void setCentering(bool centering) { m_centering = centering; }
    /// Returns the graph's name, then the names of the frames around the current item, outermost first.
    [[nodiscard]] QStringList breadcrumbs() const;
    /// Shows the frame at this index of breadcrumbs(); 0 is the whole graph.
    void showCrumb(int depth);

signals:
    /// Emitted before navigation to another place in the graph, except by selection.
    void aboutToGo();
    /// Emitted when an edge of the canvas is clicked or reached by keyboard.
    void edgePicked(const sunder::SelectedEdge& edge);
    /// Emitted for a right click or the menu key on an edge, after edgePicked().
    void edgeMenuRequested(const QPoint& globalPosition);
    void breadcrumbsChanged();
    void pictureShown();

protected:
    void resizeEvent(QResizeEvent* event) override;

private:
    /// How a new picture treats the columns of the previous one.
    enum class Columns : std::uint8_t { fit, keep };

    /// Completes `request` with the current graph and settings, and starts the job.
    void draw(PictureRequest request, NodeId anchor, Columns columns);
    void request(NodeId anchor, Columns columns);
    /// Returns a request that keeps the current open modules, or a pending initial state.
    [[nodiscard]] PictureRequest asNow() const;
    /// Returns whether a picture is being computed.
    [[nodiscard]] bool isDrawing() const;
    /// Restarts the running job with the current program.
    void drawAgain();
    void look(const GraphSight& sight);
    /// Sets the isolated nodes; empty: none.
    void setOnly(std::vector<NodeId> only);
    /// Fits the columns to the current pane size unless they were made for it.
    void fitColumns();
    [[nodiscard]] ColumnOptions columnOptions(Columns columns);
    [[nodiscard]] std::vector<ItemId> framesAround(ItemId item) const;
    [[nodiscard]] NodeId anchorOf(ItemId item) const;

    Jobs& m_jobs;
    std::shared_ptr<const LayoutEngine> m_engine;
    QString m_key;
    QString m_name;
    std::shared_ptr<const Program> m_program;
    GraphId m_graph;
    PictureHints m_hints;
    OpenModules m_open;
    bool m_isFirstSight = true; ///< the open modules were chosen to fit the pane
    bool m_isOpening = true; ///< until first visible: another picture may fit the pane better
    bool m_oneColumn = false;
    FlowDirection m_direction = FlowDirection::down;
    bool m_assertions = false;
    QSize m_fittedTo; ///< size that the columns were made for
    std::vector<NodeId> m_showAfter; ///< nodes to scroll to once the pending picture is drawn
    std::string m_currentAfter; ///< key of the module to make current then; empty: the first of those nodes
    std::optional<GraphSight> m_sightAfter; ///< position to restore then
    std::vector<NodeId> m_only; ///< isolated nodes; empty: everything is drawn
    std::optional<GraphSight> m_sightOfAll; ///< position before the isolation
    std::function<void()> m_drawAgain; ///< requests the pending picture again
    bool m_centering = false;
    std::unique_ptr<Ui::GraphView> m_ui;
    CanvasWidget* m_canvas = nullptr;
};

} // namespace sunder
