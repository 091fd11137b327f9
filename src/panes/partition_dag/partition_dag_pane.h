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

/// A cut as its parts in execution order on their devices: memory per part, traffic between parts, and the effects of moving ops.
/// For a partition, it previews changes of the device table.
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
    /// Null until the shown cut is measured.
    [[nodiscard]] const CutMeasurePtr& measure() const { return m_measure; }
    [[nodiscard]] QString totals() const;
    /// The second line of totals, for partitions, e.g. "PyTorch counts 524.1 kB on cuda:0: no value is freed"; empty if hidden.
    [[nodiscard]] QString torchCount() const;
    /// The text of the line above the DAG; empty if hidden.
    [[nodiscard]] QString notice() const;
    [[nodiscard]] QPushButton& noticeButton();
    /// The explanation of the shown partition; empty for other cuts.
    [[nodiscard]] QString reason() const;
    [[nodiscard]] std::shared_ptr<const Drawing> drawing() const override;
    [[nodiscard]] bool zooms() override { return true; } // the DAG is not a GraphView, but can be zoomed
    void zoomBy(double factor) override;
    void showAll() override;
    [[nodiscard]] double zoom() override;
    void setZoom(double zoom) override;
    void refreshTheme() override;
    [[nodiscard]] QJsonObject viewState() const override;
    void restoreViewState(const QJsonObject& kept) override;

    /// Lists the values of a cutEdge, the boundary of a box, or the ops at an edge of a box.
    void list(DagHit place);
    void closeList();
    /// Shows the graph of a part in its box if the cut is a run and the part is not too large; otherwise in Submodules.
    void unfold(int box);
    void fold(int box);

signals:
    /// Emitted with the preferred height.
    void roomWanted(int height);
    /// Requests the graph of this part in Submodules.
    void partActivated(const QString& name);
    /// Requests a split by the tags.
    void splitRequested();
    /// See PartMover::replacementAsked().
    void replacementAsked(const QString& move, const std::function<void()>& replace);
    /// Emitted with the answer when the user asks for the reason of a part.
    void answered(const QString& question, const QString& answer);
    /// Requests the same partitioning with the current sizes.
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
    /// Sets up the form and returns its view.
    DagView* makeBody();
    void build();
    void addCommands();
    void connectView();
    [[nodiscard]] SplitOutcomePtr cut() const;
    /// Returns the run number of the measured cut; 0 if it is not a run or about to be replaced.
    [[nodiscard]] int shownNumber() const;
    void measureCut();
    void showContent();
    void setContent();
    void showNotice();
    [[nodiscard]] QString whyShown() const;
    void showTotals();
    void fitTexts();
    /// Shows the memory of a partition by PyTorch's count (MemoryRule::keepsAll) instead of the peak of a run.
    void showTorchCount(bool on);
    /// Restores the unfolded boxes and the position of a viewState().
    void lookAgain(const QJsonObject& kept);
    void pick(DagHit place, SelectionMode mode);
    void activate(DagHit place);
    void hover(DagHit place);
    /// `lane`: −1: none.
    void fillMenu(QMenu& menu, DagHit place, int lane);
    void addWhyDevices(QMenu& menu, int lane);
    void addBoxActions(QMenu& menu, DagHit place);
    [[nodiscard]] std::vector<NodeId> nodesOf(DagHit place) const;
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
    QString m_reason;
    bool m_picking = false;
    bool m_showsTorchCount = false;
    QJsonObject m_kept; ///< viewState() to restore once the cut is measured
    std::vector<NodeRef> m_selected; ///< nodes of the run, for the graphs in boxes
};

} // namespace sunder
