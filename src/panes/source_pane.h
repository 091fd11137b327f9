#pragma once

#include "document/document.h"
#include "panes/graph_view.h"
#include "panes/pane.h"
#include "panes/sequence/sequence_panel.h"
#include "panes/source_colors.h"
#include "panes/source_fills.h"

namespace sunder {

/// The source graph: shows the document's tags, findings and selection; strokes, clicks and keys become its verbs.
class SourcePane final : public Pane {
    Q_OBJECT

public:
    SourcePane(Document& document, Jobs& jobs, std::shared_ptr<const LayoutEngine> engine, QWidget* parent = nullptr);
    [[nodiscard]] GraphView& view() { return *m_view; }
    [[nodiscard]] CanvasWidget& canvas() { return m_view->canvas(); }
    [[nodiscard]] GraphView* graphInFront() override { return m_view; }
    [[nodiscard]] SequencePanel& sequence() { return *m_sequence; }
    /// What the colours mean: tags, or the parts of a run.
    [[nodiscard]] SourceColors& colors() { return *m_colors; }
    /// What fill and wand take.
    [[nodiscard]] SourceFills& fills() { return *m_fills; }
    void refreshTheme() override;

    /// These tags in place of the document's, as what could become of them; null: the document's again.
    void showProposal(const TagAssignment* tags);

signals:
    /// Right click: the window offers what can be done with the selection, and with the module that was clicked (its key; empty: none).
    void menuRequested(const QPoint& globalPosition, const QString& module, const std::vector<sunder::NodeId>& nodes);
    /// The card of a backward edge was clicked: its repairs are wanted.
    void repairsRequested(int mark, const QPoint& globalPosition);
    void pictureShown();
    /// The cut is to be straightened, seen before.
    void straightenRequested();

private:
    void connectCanvas();
    void connectSequence();
    void documentChanged(Changes what);
    void select(const std::vector<NodeId>& nodes, SelectionMode mode);
    void stroke(const std::vector<NodeId>& nodes);
    void showSelection();
    void showColors();
    void showFindings();
    /// Calls with other tags than they have, while a border is on its way.
    void showPreview(const std::vector<std::pair<NodeId, std::int32_t>>& changes);

    Document& m_document;
    GraphView* m_view;
    SourceColors* m_colors;
    SequencePanel* m_sequence;
    SourceFills* m_fills;
    int m_stroke = 0; ///< number of the stroke: its parts become one undo step
    int m_undoIndex = 0; ///< of the undo stack when the stroke began
    bool m_erasing = false;
    bool m_selecting = false; ///< the selection is being made here: nothing to bring into sight
};

} // namespace sunder
