#pragma once

#include "analysis/representatives.h"
#include "document/document.h"
#include "panes/graph_view.h"

namespace sunder {

/// A graph of the program of a run, linked with the source and all panes. Picked and hovered nodes are passed to the document.
/// The view marks search hits itself; its pane passes it the selection and hovered nodes.
class RunGraphView final : public GraphView {
    Q_OBJECT

public:
    /// `key` distinguishes the jobs of this view from those of other views.
    RunGraphView(Document& document, Jobs& jobs, std::shared_ptr<const LayoutEngine> engine, const QString& key,
                 QWidget* parent = nullptr);

    /// Shows a graph of a run. `program` is the run's program or a separate one (a part made for drawing); node ids are those of
    /// `graph` in the run.
    void setRun(int run, std::shared_ptr<const Program> program, GraphId graph, const QString& name, PictureHints hints = {});
    [[nodiscard]] int run() const { return m_run; }
    /// Changes the run number because a preview was kept as a run; the graph stays.
    void setRunNumber(int run);

    /// Shows those of the selected nodes that are in this graph. `calls`: nodes of this graph that represent nodes selected
    /// elsewhere, e.g. the call of the part that contains them.
    void showSelection(const std::vector<NodeRef>& selected, const std::vector<NodeId>& calls = {});
    void showHovered(const std::vector<NodeRef>& hovered, const std::vector<NodeId>& calls = {});
    /// Marks nodes of this graph that represent search hits elsewhere, in addition to the hits in this graph.
    void showFoundCalls(const std::vector<NodeId>& calls);
    /// Sets the nodes of this graph that each represent several source nodes. They are marked when one of these is found or
    /// hovered.
    void setStandIns(std::vector<Representative> representatives);
    [[nodiscard]] const std::vector<Representative>& representatives() const { return m_standIns; }
    /// Returns those of them that represent any of these source nodes. O(total sources).
    [[nodiscard]] std::vector<NodeId> representativesFor(const std::vector<NodeId>& sources) const;
    [[nodiscard]] const std::vector<NodeId>& selectedHere() const { return m_selected; }
    /// Scrolls to the selection in this graph; returns false if there is none.
    bool reveal();
    /// Returns whether a pick in this view is being handled, so that the view need not follow.
    [[nodiscard]] bool isPicking() const { return m_picking; }

protected:
    void resizeEvent(QResizeEvent* event) override;

private:
    void pick(const std::vector<NodeId>& nodes, SelectionMode mode);
    void hover(const std::vector<NodeId>& nodes);
    void markCounterparts();
    void markFound();
    [[nodiscard]] std::vector<NodeId> here(const std::vector<NodeRef>& refs) const;

    Document& m_document;
    int m_run = 0;
    std::vector<NodeId> m_selected;
    std::vector<NodeId> m_calls;
    std::vector<NodeId> m_hovered;
    std::vector<NodeId> m_foundCalls;
    std::vector<Representative> m_standIns;
    bool m_picking = false;
};

} // namespace sunder
