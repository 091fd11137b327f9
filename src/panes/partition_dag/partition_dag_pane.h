#pragma once

#include "models/balance_model.h"
#include "panes/partition_dag/dag_view.h"
#include "panes/result_pane.h"

#include <functional>
#include <memory>

namespace sunder {

namespace Ui {
class PartitionDagPane;
}

class BoundaryList;
class DagMenu;
class DagTexts;
class LayoutEngine;
class PartGraphs;
class PartMover;
class ShownCut;

/// A cut as its parts in execution order on their devices: memory per part, traffic between parts, and the effects of moving ops.
/// For a partition, it previews changes of the device table.
class PartitionDagPane final : public ResultPane {
    Q_OBJECT

public:
    PartitionDagPane(Document& document, Jobs& jobs, std::shared_ptr<const LayoutEngine> engine, QWidget* parent = nullptr);
    ~PartitionDagPane() override;

    [[nodiscard]] std::shared_ptr<const Drawing> drawing() const override;
    [[nodiscard]] bool zooms() override { return true; } // the DAG is not a GraphView, but can be zoomed
    void zoomBy(double factor) override;
    void showAll() override;
    [[nodiscard]] double zoom() override;
    void setZoom(double zoom) override;
    void refreshTheme() override;
    /// Previews a cut instead of the run; null: the run again. `plan`: of a balanced cut.
    void showProposal(const TagAssignment* tags, const BalancePlanPtr& plan);
    [[nodiscard]] std::string viewState() const override;
    void restoreViewState(JsonValue kept) override;

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
    [[nodiscard]] bool isEmpty() const override;
    void reveal() override;
    void documentChanged(Changes what) override;
    void resizeEvent(QResizeEvent* event) override;

private:
    /// Sets up the form and returns its view.
    DagView* makeBody();
    void addCommands();
    void connectParts();
    void connectView();
    void showContent();
    void setContent();
    /// Restores the unfolded boxes and the position of the kept viewState().
    void lookAgain();
    void pick(DagHit place, SelectionMode mode);
    void activate(DagHit place);
    void hover(DagHit place);
    /// Lists the values of an edge, the boundary of a box, or the ops at an edge of a box.
    void list(DagHit place);
    void listWithFocus(DagHit place);
    [[nodiscard]] std::vector<NodeId> nodesOf(DagHit place) const;
    void markHandles();

    ShownCut* m_cut;
    std::unique_ptr<Ui::PartitionDagPane> m_ui;
    DagView* m_view;
    PartGraphs* m_graphs;
    BoundaryList* m_list;
    PartMover* m_mover;
    DagTexts* m_texts;
    DagMenu* m_menu;
    bool m_picking = false;
    std::string m_kept; ///< viewState() to restore once the cut is measured
    std::vector<NodeRef> m_selected; ///< nodes of the run, for the graphs in boxes
};

} // namespace sunder
