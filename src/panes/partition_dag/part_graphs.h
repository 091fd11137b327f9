#pragma once

#include "panes/run_graph_view.h"

#include <map>

namespace sunder {

class DagView;
class ShownCut;

/// The graphs of unfolded boxes: created on first use, and linked through the document as all graphs of a run.
class PartGraphs final : public QObject {
    Q_OBJECT

public:
    /// Maximum number of ops: larger parts do not fit into a box and are better shown in a pane.
    static constexpr std::size_t kMaxOps = 5'000;

    /// The graphs are in the boxes of `view`.
    PartGraphs(Document& document, Jobs& jobs, std::shared_ptr<const LayoutEngine> engine, DagView& view, const ShownCut& cut,
               QObject* parent);

    /// Follows the measured cut. Another cut removes all graphs. The same cut under another run number (a kept preview) keeps them.
    void update();
    /// Puts the graphs into the boxes of another content of the view.
    void place();
    /// Shows the graph of a part in its box if the cut is a run and the part is not too large; otherwise in Submodules.
    void unfold(int box);
    void fold(int box);
    [[nodiscard]] RunGraphView* graphOf(std::int32_t part) const;
    /// Returns the graph with the keyboard focus; null if none has it.
    [[nodiscard]] RunGraphView* graphWithFocus() const;

    void showSelection(const std::vector<NodeRef>& selected);
    void showHovered(const std::vector<NodeRef>& hovered);
    void reveal();
    void refreshTheme();

signals:
    void made(sunder::GraphView* graph);
    /// Emitted with the preferred height.
    void roomWanted(int height);
    /// Requests the graph of this part in Submodules.
    void partActivated(const QString& name);
    void message(const QString& text);

protected:
    bool eventFilter(QObject* watched, QEvent* event) override;

private:
    struct Entry {
        RunGraphView* view;
        int place; ///< index of the part in the split
    };
    /// Returns the graph of a part, created on first use; null if the cut has no part of that name.
    RunGraphView* open(std::int32_t part, InternedString name);
    void close(std::int32_t part);
    void color(const Entry& entry);
    /// Shows a box whose graph was added or removed.
    void showBox(int box);

    Document& m_document;
    Jobs& m_jobs;
    std::shared_ptr<const LayoutEngine> m_engine;
    DagView& m_view;
    const ShownCut& m_shown;
    int m_run = 0;
    SplitOutcomePtr m_cut; ///< null if it is not a run
    std::map<std::int32_t, Entry> m_graphs; ///< by part of the cut
    std::vector<NodeRef> m_selected;
};

} // namespace sunder
