#pragma once

#include "document/document.h"
#include "panes/cost_legend.h"
#include "panes/graph_view.h"
#include "panes/pane.h"
#include "panes/sequence/sequence_panel.h"
#include "panes/source_colors.h"
#include "panes/source_fills.h"

namespace sunder {

/// The source graph: shows the document's tags, problems, and selection, and turns strokes, clicks, and keys into document
/// commands.
class SourcePane final : public Pane {
    Q_OBJECT

public:
    SourcePane(Document& document, Jobs& jobs, std::shared_ptr<const LayoutEngine> engine, QWidget* parent = nullptr);
    [[nodiscard]] GraphView& view() { return *m_view; }
    [[nodiscard]] CanvasWidget& canvas() { return m_view->canvas(); }
    [[nodiscard]] GraphView* graphInFront() override { return m_view; }
    [[nodiscard]] SequencePanel& sequence() { return *m_sequence; }
    /// Selects between tags and the parts of a run.
    [[nodiscard]] SourceColors& colors() { return *m_colors; }
    /// The fill and wand tools.
    [[nodiscard]] SourceFills& fills() { return *m_fills; }
    void refreshTheme() override;
    [[nodiscard]] std::string viewState() const override;
    void restoreViewState(JsonValue kept) override;

    /// Previews these tags instead of the document's; null: the document's again.
    void showProposal(const TagAssignment* tags);

signals:
    /// Emitted for a right click, with the key of the clicked module (empty: none); the window opens a menu for it and the
    /// selection.
    void menuRequested(const QPoint& globalPosition, const QString& module, const std::vector<sunder::NodeId>& nodes);
    /// Emitted when the card of a backward edge was clicked, to offer its fixes.
    void repairsRequested(int mark, const QPoint& globalPosition);
    void pictureShown();
    /// Requests a preview of the straightened cut.
    void straightenRequested();

private:
    void connectCanvas();
    void connectSequence();
    void documentChanged(Changes what);
    void select(const std::vector<NodeId>& nodes, SelectionMode mode);
    void stroke(const std::vector<NodeId>& nodes);
    void showSelection();
    void showColors();
    void showCosts();
    void showFindings();
    /// Shows calls with other tags while a boundary moves.
    void showPreview(const std::vector<std::pair<NodeId, std::int32_t>>& changes);

    Document& m_document;
    GraphView* m_view;
    SourceColors* m_colors;
    CostLegend* m_legend;
    SequencePanel* m_sequence;
    SourceFills* m_fills;
    bool m_erasing = false;
    bool m_selecting = false; ///< the selection originates here: no scrolling
};

} // namespace sunder
