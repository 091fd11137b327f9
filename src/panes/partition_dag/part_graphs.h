#pragma once

#include "panes/partition_dag/dag_content.h"
#include "panes/run_graph_view.h"

#include <map>

namespace sunder {

/// The graphs of parts that are unfolded in their boxes: made when first wanted, linked through the document as every graph
/// of a run.
class PartGraphs final : public QObject {
    Q_OBJECT

public:
    /// A box is small: a part of more ops is better seen in a pane of its own.
    static constexpr std::size_t kMostOps = 5'000;

    /// Graphs become children of `place`.
    PartGraphs(Document& document, Jobs& jobs, std::shared_ptr<const LayoutEngine> engine, QWidget& place, QObject* parent);

    /// Another cut: all graphs go. The same under another number, a preview that was kept: they stay.
    void setRun(int run, SplitOutcomePtr cut);
    /// Makes it when it is not there; null when the cut has no part of that name.
    RunGraphView* open(std::int32_t part, InternedString name);
    void close(std::int32_t part);
    [[nodiscard]] RunGraphView* graphOf(std::int32_t part) const;
    /// The one that has the keyboard, null when none has.
    [[nodiscard]] RunGraphView* graphWithFocus() const;
    /// Per box of the content; null where it is folded.
    [[nodiscard]] std::vector<QWidget*> perBox(const DagContent& content) const;

    void showSelection(const std::vector<NodeRef>& selected);
    void showHovered(const std::vector<NodeRef>& hovered);
    void reveal();
    void refreshTheme();

signals:
    void made(sunder::GraphView* graph);
    /// Esc in a graph.
    void foldRequested(int part);

protected:
    bool eventFilter(QObject* watched, QEvent* event) override;

private:
    struct Entry {
        RunGraphView* view;
        int place; ///< of the part in the split
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
