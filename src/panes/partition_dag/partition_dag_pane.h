#pragma once

#include "document/runs/cut_measure.h"
#include "document/runs/partition_preview.h"
#include "panes/partition_dag/dag_view.h"
#include "panes/result_pane.h"

#include <memory>

class QMenu;
class QPushButton;

namespace sunder {

namespace Ui {
class PartitionDagPane;
}

class LayoutEngine;
class MoveCard;
class MoveTrial;
class PartGraphs;
class TensorList;

/// A cut as its parts in order of execution, on the devices that hold them: what each takes, what goes between them, and
/// what moving an op would change. A partition follows the table of devices as a preview.
class PartitionDagPane final : public ResultPane {
    Q_OBJECT

public:
    PartitionDagPane(Document& document, Jobs& jobs, std::shared_ptr<const LayoutEngine> engine, QWidget* parent = nullptr);
    ~PartitionDagPane() override;

    [[nodiscard]] DagView& view() { return *m_view; }
    [[nodiscard]] TensorList& tensors() { return *m_tensors; }
    [[nodiscard]] MoveCard& card() { return *m_card; }
    [[nodiscard]] MoveTrial& trial() { return *m_trial; }
    [[nodiscard]] PartGraphs& graphs() { return *m_graphs; }
    [[nodiscard]] PartitionPreview& preview() { return *m_preview; }
    /// Null until the cut that is shown has been measured.
    [[nodiscard]] const CutMeasurePtr& measure() const { return m_measure; }
    [[nodiscard]] QString totals() const;
    /// What the line above the DAG says; empty when it is not there.
    [[nodiscard]] QString notice() const;
    [[nodiscard]] QPushButton& noticeButton();
    [[nodiscard]] std::shared_ptr<const Drawing> drawing() const override;
    [[nodiscard]] bool zooms() override { return true; } // the DAG is no graph, but zooms
    void zoomBy(double factor) override;
    void showAll() override;
    void refreshTheme() override;

    /// Lists the values of a ribbon, those at the boundary of a box, or the ops at an edge of a box.
    void list(DagPlace place);
    void closeList();
    /// Shows the graph of a part in its box, where it is of a run and not too large; in Submodules where it is.
    void unfold(int box);
    void fold(int box);
    /// Begins to move the selected ops to the part before (−1) or behind (1) theirs, or where an earlier call led.
    void moveSelection(int by);
    void beginMove(std::vector<NodeId> nodes, int box);
    void cancelMove();
    /// The cut becomes the tags of the source, one undo step.
    void takeOverAsTags();

signals:
    /// So much height would be good.
    void roomWanted(int height);
    /// The graph of this part is wanted in Submodules.
    void partActivated(const QString& name);
    /// The tags are to be split.
    void splitRequested();

protected:
    void showResult() override;
    void showSelection(const std::vector<NodeRef>& selected) override;
    void showHovered(const std::vector<NodeRef>& hovered) override;
    void showStatus() override;
    void reveal() override;
    void documentChanged(Changes what) override;
    void resizeEvent(QResizeEvent* event) override;

private:
    /// The view in the form.
    DagView* makeBody();
    void build();
    void addCommands();
    void connectView();
    [[nodiscard]] SplitOutcomePtr cut() const;
    /// Of the cut that is measured, as Document knows it; 0: none, or it is about to be another.
    [[nodiscard]] int shownNumber() const;
    void measureCut();
    void showContent();
    void setContent();
    void showNotice();
    void showTotals();
    void pick(DagPlace place, SelectionMode mode);
    void activate(DagPlace place);
    void hover(DagPlace place);
    void fillMenu(QMenu& menu, DagPlace place);
    void addBoxActions(QMenu& menu, DagPlace place);
    void shareHeight();
    [[nodiscard]] std::vector<NodeId> nodesOf(DagPlace place) const;
    [[nodiscard]] const DagHandle* handleAt(DagPlace place) const;
    void markHandles();
    // partition_dag_moves.cpp
    /// Moves what is selected, or the op of the current handle when that is not.
    void moveCurrent();
    void moveHandle(const DagHandle& handle);
    void dragHandle(const DagHandle& handle);
    void previewMove(std::vector<NodeId> nodes, int box, bool withButtons);
    void showWords(const MovePreview& preview, int box, bool withButtons);
    [[nodiscard]] std::vector<NodeId> selectedCalls() const;
    void placeCard(int box);
    void makeMove(const std::vector<NodeId>& nodes, int box);
    void takeOver(const std::vector<NodeId>& moved, std::int32_t to, const QString& undoText);
    [[nodiscard]] QString nameOfBox(int box) const;
    [[nodiscard]] QString nameOfNodes(const std::vector<NodeId>& nodes) const;

    Jobs& m_jobs;
    PartitionPreview* m_preview;
    std::unique_ptr<Ui::PartitionDagPane> m_ui;
    DagView* m_view;
    TensorList* m_tensors;
    PartGraphs* m_graphs;
    MoveCard* m_card;
    MoveTrial* m_trial;
    CutMeasurePtr m_measure;
    DagPlace m_listed;
    int m_listHeight = 0; ///< as the person left it; 0: not yet
    std::vector<NodeId> m_moving; ///< of a move begun with keys or the menu
    int m_target = -1;
    std::vector<NodeId> m_dragged; ///< what the card speaks of while something is dragged …
    int m_draggedOver = -1;        ///< … over this box
    QString m_takenOver; ///< said until the next cut: that this one became tags
    bool m_picking = false;
    std::vector<NodeRef> m_selected; ///< in the run, for the graphs in boxes
};

} // namespace sunder
