#pragma once

#include "document/document.h"
#include "panes/sequence/load_bars.h"
#include "panes/sequence/sequence_strip.h"

#include <QWidget>

#include <memory>

namespace sunder {

namespace Ui {
class SequencePanel;
}

class BoundaryCard;
class CanvasWidget;

/// The strip next to the source graph: shows the document's tags, and turns the user's changes of boundaries into document
/// commands.
class SequencePanel final : public QWidget {
    Q_OBJECT

public:
    /// `pane` contains the panel and the canvas; the card floats over it.
    SequencePanel(Document& document, Jobs& jobs, CanvasWidget& canvas, QWidget* pane);
    ~SequencePanel() override;

    [[nodiscard]] SequenceStrip& strip();
    [[nodiscard]] BoundaryCard& card() { return *m_card; }
    /// Updates the colors of the theme and of tags.
    void refreshLooks();
    /// Shows the parts of this run, read-only, instead of the document's tags; null: the tags again.
    void showCut(SplitOutcomePtr cut, int run);
    /// Previews these tags instead of the document's; null: the document's again.
    void showProposal(const TagAssignment* tags);

    /// Whether the user wants the panel; kept for the next session.
    [[nodiscard]] static bool isWanted();
    static void want(bool isWanted);

signals:
    /// Emitted with the tag changes of calls while a boundary moves; empty if it returned to its start.
    void previewed(const sunder::SequenceStrip::Changes& changes);
    void straightenRequested();
    void message(const QString& text);

protected:
    void resizeEvent(QResizeEvent* event) override;
    void showEvent(QShowEvent* event) override;

private:
    void documentChanged(Changes what);
    /// Requests the order of another program.
    void request();
    /// Updates the content after tags changed.
    void takeTags();
    /// Returns the parts of the shown run, or else the document's tags.
    [[nodiscard]] const TagAssignment& shownTags() const;
    void take(std::shared_ptr<const SequenceContent> content);
    void show(std::shared_ptr<const SequenceContent> content);
    void showSeen();
    void showCard();
    void placeCard();
    /// Shows the loads with the moving boundary on the card, at once or, for a large model, by a job.
    void showLoads();
    void takeLoads(const std::optional<CutLoads>& before, const std::optional<CutLoads>& now);

    Document& m_document;
    Jobs& m_jobs;
    CanvasWidget& m_canvas;
    std::unique_ptr<Ui::SequencePanel> m_ui;
    BoundaryCard* m_card;
    SnapshotPtr m_snapshot; ///< snapshot of the sequence
    std::shared_ptr<const ModelSequence> m_sequence; ///< null: none yet
    SplitOutcomePtr m_cut; ///< null: the document's tags are shown
    int m_run = 0;         ///< run of the cut
    bool m_isSeenAsked = false;
    std::optional<CutLoads> m_loadsBefore; ///< of the document's tags, while a boundary moves
};

} // namespace sunder
