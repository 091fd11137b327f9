#pragma once

#include "document/runs/cut_measure.h"
#include "document/runs/partition_preview.h"
#include "panes/partition_dag/dag_view.h"
#include "panes/result_pane.h"

#include <functional>
#include <memory>

class QMenu;
class QPushButton;

namespace sunder {

namespace Ui {
class PartitionDagPane;
}

class BoundaryList;
class LayoutEngine;
class PartGraphs;
class PartMover;
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
    [[nodiscard]] PartMover& mover() { return *m_mover; }
    [[nodiscard]] PartGraphs& graphs() { return *m_graphs; }
    [[nodiscard]] PartitionPreview& preview() { return *m_preview; }
    /// Null until the cut that is shown has been measured.
    [[nodiscard]] const CutMeasurePtr& measure() const { return m_measure; }
    [[nodiscard]] QString totals() const;
    /// The line below, of a partition: "torch counts 524.1 kB on cuda:0: it never frees". Empty when it is not there.
    [[nodiscard]] QString torchCount() const;
    /// What the line above the DAG says; empty when it is not there.
    [[nodiscard]] QString notice() const;
    [[nodiscard]] QPushButton& noticeButton();
    /// Why the partition in sight is as it is; empty for another cut.
    [[nodiscard]] QString reason() const;
    [[nodiscard]] std::shared_ptr<const Drawing> drawing() const override;
    [[nodiscard]] bool zooms() override { return true; } // the DAG is no graph, but zooms
    void zoomBy(double factor) override;
    void showAll() override;
    [[nodiscard]] double zoom() override;
    void setZoom(double zoom) override;
    void refreshTheme() override;

    /// Lists the values of a ribbon, those at the boundary of a box, or the ops at an edge of a box.
    void list(DagPlace place);
    void closeList();
    /// Shows the graph of a part in its box, where it is of a run and not too large; in Submodules where it is.
    void unfold(int box);
    void fold(int box);

signals:
    /// So much height would be good.
    void roomWanted(int height);
    /// The graph of this part is wanted in Submodules.
    void partActivated(const QString& name);
    /// The tags are to be split.
    void splitRequested();
    /// See PartMover::replacementAsked().
    void replacementAsked(const QString& move, const std::function<void()>& replace);
    /// Somebody asked why a part is as it is.
    void answered(const QString& question, const QString& answer);
    /// The model is to be partitioned as it was, at the sizes of now.
    void partitionRequested(const sunder::PartitionRequest& request);

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
    [[nodiscard]] QString whyShown() const;
    void showTotals();
    /// Shows the memory of a partition as torch counts it (MemoryRule::keepsAll) in place of the peak of a run.
    void showTorchCount(bool on);
    void pick(DagPlace place, SelectionMode mode);
    void activate(DagPlace place);
    void hover(DagPlace place);
    void fillMenu(QMenu& menu, DagPlace place);
    void addBoxActions(QMenu& menu, DagPlace place);
    [[nodiscard]] std::vector<NodeId> nodesOf(DagPlace place) const;
    void markHandles();

    Jobs& m_jobs;
    PartitionPreview* m_preview;
    std::unique_ptr<Ui::PartitionDagPane> m_ui;
    DagView* m_view;
    TensorList* m_tensors;
    PartGraphs* m_graphs;
    BoundaryList* m_list;
    PartMover* m_mover;
    CutMeasurePtr m_measure;
    bool m_picking = false;
    bool m_showsTorchCount = false;
    std::vector<NodeRef> m_selected; ///< in the run, for the graphs in boxes
};

} // namespace sunder
