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

/// Where one is in a graph: what is open, and where one looks.
struct GraphSight {
    OpenModules open;
    std::shared_ptr<const Picture> columns; ///< where they began, see columnsOf()
    Camera camera;
    QSize view;            ///< that the camera is for
    bool isFitted = false; ///< all of it was in sight, and is to be in a view of whatever size
};

/// A CanvasWidget with a graph in it: draws pictures in the background, opens and folds modules in place, finds nodes.
class GraphView : public QWidget {
    Q_OBJECT

public:
    /// `key` tells its jobs from those of other views.
    GraphView(Jobs& jobs, std::shared_ptr<const LayoutEngine> engine, const QString& key, QWidget* parent = nullptr);

    ~GraphView() override;

    /// The same graph out of another copy of its program; the picture stays.
    void exchangeProgram(std::shared_ptr<const Program> same);
    /// Lays it out again, as open as it is: its texts have changed.
    void redraw();
    /// Shows another graph from its first sight; a null program shows nothing. What is open in it, and its columns, are chosen for
    /// the size in which the graph is first seen; in another size it is only fitted again.
    void setGraph(std::shared_ptr<const Program> program, GraphId graph, const QString& name, PictureHints hints = {});
    [[nodiscard]] CanvasWidget& canvas() { return *m_canvas; }
    [[nodiscard]] const CanvasWidget& canvas() const { return *m_canvas; }
    [[nodiscard]] GraphId graphId() const { return m_graph; }
    [[nodiscard]] const std::shared_ptr<const Program>& program() const { return m_program; }

    /// Where one is now; nothing before there is a picture.
    [[nodiscard]] std::optional<GraphSight> sight() const;
    /// Goes back there: at once where the same is open, else when it is drawn.
    void restore(const GraphSight& sight);
    /// The keyboard goes to the graph, at once or when its picture is there.
    void takeFocus();
    /// Opens what is closed and closes what is open; `recursive` opens all below.
    void toggle(ItemId item, const QString& key, bool recursive);
    /// Draws only the items that show these nodes, and their neighbors.
    void isolate(std::vector<NodeId> nodes);
    [[nodiscard]] bool isIsolated() const { return !m_only.empty(); }
    /// Draws everything again, where one was before.
    void leaveIsolation();
    /// The same where none of these nodes is shown, because they are wanted.
    void leaveIsolationFor(const std::vector<NodeId>& wanted);
    /// Selects an edge of the picture.
    void pickEdge(std::uint32_t edge);
    void pickForMenu(std::uint32_t edge, const QPoint& globalPosition);
    /// What is said of one.
    [[nodiscard]] QString edgeWords(const Picture& picture, const PictureEdge& edge) const;
    void openAll();
    void foldAll();
    /// What was open at first is open again, and the whole is seen.
    void showFirstSight();
    /// Sets what is much higher than wide in as many columns as fit the pane, or never.
    void setOneColumn(bool oneColumn);
    /// Draws so from now on, with the whole in view.
    void setDirection(FlowDirection direction);
    /// Draws assertions, and ops whose results nobody uses, or not.
    void setAssertions(bool areShown);
    /// Closes the frame around the current item; false when it lies in none.
    bool goUp();
    /// Opens what hides these nodes, down to the module at `modulePath` (empty: down to the first node), and shows them.
    void openTowards(const QString& modulePath, const std::vector<NodeId>& nodes);
    /// The node whose box shows these nodes, its weights for example, and no others; invalid for several boxes and for a module.
    [[nodiscard]] NodeId boxedNode(const std::vector<NodeId>& nodes) const;
    /// Brings them into sight, or, when it keeps to it, into the middle.
    void showNodes(const std::vector<NodeId>& nodes);
    void setCentering(bool centering) { m_centering = centering; }
    /// Names of the frames around the current item, outermost first; the graph's name in front.
    [[nodiscard]] QStringList breadcrumbs() const;
    /// Shows the `depth`-th of these frames, 0 all.
    void showCrumb(int depth);

signals:
    /// The person is about to leave for another place in the graph, other than by selecting something.
    void aboutToGo();
    /// An edge of the canvas was clicked or stepped to.
    void edgePicked(const sunder::SelectedEdge& edge);
    /// Right click or the menu key on an edge; it was picked before.
    void edgeMenuRequested(const QPoint& globalPosition);
    void breadcrumbsChanged();
    void pictureShown();

protected:
    void resizeEvent(QResizeEvent* event) override;

private:
    /// What becomes of the columns of the picture before.
    enum class Columns : std::uint8_t { fit, keep };

    /// Of the graph that is shown: what the request says besides.
    void draw(PictureRequest request, NodeId anchor, Columns columns);
    void request(NodeId anchor, Columns columns);
    /// What is open is to stay so; the first sight that is on its way is to come.
    [[nodiscard]] PictureRequest asNow() const;
    /// A picture is on its way.
    [[nodiscard]] bool isDrawing() const;
    /// The picture that is on its way, of the program as it is now.
    void drawAgain();
    void look(const GraphSight& sight);
    /// Which nodes are isolated; empty: none.
    void setOnly(std::vector<NodeId> only);
    /// Fits columns into the pane as it is now, unless they are made for it.
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
    bool m_isFirstSight = true; ///< what is open was chosen by what fits
    bool m_isOpening = true; ///< until it is seen: another picture may fit the pane better
    bool m_oneColumn = false;
    FlowDirection m_direction = FlowDirection::down;
    bool m_assertions = false;
    QSize m_fittedTo; ///< room that the columns were made for
    std::vector<NodeId> m_showAfter; ///< nodes to bring into sight once the picture that is on its way is there
    std::string m_currentAfter; ///< key of the module that is to be the current item then; empty: the first of those nodes
    std::optional<GraphSight> m_sightAfter; ///< likewise
    std::vector<NodeId> m_only; ///< isolated; empty: everything is drawn
    std::optional<GraphSight> m_sightOfAll; ///< before something was isolated
    std::function<void()> m_drawAgain; ///< asks once more for the picture that is on its way
    bool m_centering = false;
    bool m_focusAfter = false; ///< the canvas gets the focus when it is seen
    std::unique_ptr<Ui::GraphView> m_ui;
    CanvasWidget* m_canvas = nullptr;
};

} // namespace sunder
