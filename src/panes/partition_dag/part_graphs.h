#pragma once

#include "panes/partition_dag/dag_content.h"
#include "panes/run_graph_view.h"

#include <map>

namespace sunder {

/// The graphs of unfolded boxes: created on first use, and linked through the document as all graphs of a run.
class PartGraphs final : public QObject {
    Q_OBJECT

public:
    /// Maximum number of ops: larger parts do not fit into a box and are better shown in a pane.
    static constexpr std::size_t kMaxOps = 5'000;

    /// `place` becomes the parent of the graphs.
    PartGraphs(Document& document, Jobs& jobs, std::shared_ptr<const LayoutEngine> engine, QWidget& place, QObject* parent);

    /// Sets the cut. Another cut removes all graphs. The same cut under another run number (a kept preview) keeps them.
    void setRun(int run, SplitOutcomePtr cut);
    /// Returns the graph of a part, created on first use; null if the cut has no part of that name.
    RunGraphView* open(std::int32_t part, InternedString name);
    void close(std::int32_t part);
    [[nodiscard]] RunGraphView* graphOf(std::int32_t part) const;
    /// Returns the graph with the keyboard focus; null if none has it.
    [[nodiscard]] RunGraphView* graphWithFocus() const;
    /// Returns the graph per box of the content; null if folded.
    [[nodiscard]] std::vector<QWidget*> perBox(const DagContent& content) const;

    void showSelection(const std::vector<NodeRef>& selected);
    void showHovered(const std::vector<NodeRef>& hovered);
    void reveal();
    void refreshTheme();

signals:
    void made(sunder::GraphView* graph);
    /// Emitted for Esc in a graph.
    void foldRequested(int part);

protected:
    bool eventFilter(QObject* watched, QEvent* event) override;

private:
    struct Entry {
        RunGraphView* view;
        int place; ///< index of the part in the split
    };
    void color(const Entry& entry);

    Document& m_document;
    Jobs& m_jobs;
    std::shared_ptr<const LayoutEngine> m_engine;
    QWidget& m_place;
    int m_run = 0;
    SplitOutcomePtr m_cut;
    std::map<std::int32_t, Entry> m_graphs; ///< by part of the cut
    std::vector<NodeRef> m_selected;
};

} // namespace sunder
