#pragma once

#include "analysis/stand_ins.h"
#include "document/document.h"
#include "panes/graph_view.h"

namespace sunder {

/// A graph of the program that a run made, linked with the source and all other panes: what is picked or hovered here
/// goes to the document; hits of the search are marked here, and what its pane finds selected or hovered there.
class RunGraphView final : public GraphView {
    Q_OBJECT

public:
    /// `key` tells its jobs from those of other views.
    RunGraphView(Document& document, Jobs& jobs, std::shared_ptr<const LayoutEngine> engine, const QString& key,
                 QWidget* parent = nullptr);

    /// `program` is that of the run or of its own (a part made for drawing): node ids are those of `graph` in the run.
    void setRun(int run, std::shared_ptr<const Program> program, GraphId graph, const QString& name, PictureHints hints = {});
    [[nodiscard]] int run() const { return m_run; }
    /// The same graph is of a run of another number now: a preview was kept.
    void setRunNumber(int run);

    /// Of what is selected in the run, what lies in this graph. `calls`: nodes here that stand for what is selected
    /// elsewhere, a call of the part that has it.
    void showSelection(const std::vector<NodeRef>& selected, const std::vector<NodeId>& calls = {});
    void showHovered(const std::vector<NodeRef>& hovered, const std::vector<NodeId>& calls = {});
    /// Nodes here that stand for hits of the search elsewhere, beside the hits themselves.
    void showFoundCalls(const std::vector<NodeId>& calls);
    /// Nodes here that stand for several of the source: they are marked when one of those is found or hovered.
    void setStandIns(std::vector<StandIn> standIns);
    [[nodiscard]] const std::vector<StandIn>& standIns() const { return m_standIns; }
    /// Those of them that stand for one of these nodes of the source. O(sources of all).
    [[nodiscard]] std::vector<NodeId> standInsFor(const std::vector<NodeId>& sources) const;
    [[nodiscard]] const std::vector<NodeId>& selectedHere() const { return m_selected; }
    /// Brings what is selected here into sight; false when nothing is.
    bool reveal();
    /// This view is where the person just picked: it need not follow.
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
    std::vector<StandIn> m_standIns;
    bool m_picking = false;
};

} // namespace sunder
