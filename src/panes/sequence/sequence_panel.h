#pragma once

#include "document/document.h"
#include "panes/sequence/sequence_strip.h"

#include <QWidget>

#include <memory>

namespace sunder {

namespace Ui {
class SequencePanel;
}

class BorderCard;
class CanvasWidget;

/// The strip beside the source graph: shows the document's tags in it, and makes what the person does with its borders verbs.
class SequencePanel final : public QWidget {
    Q_OBJECT

public:
    /// `pane` holds the panel and the canvas; the card floats over it.
    SequencePanel(Document& document, Jobs& jobs, CanvasWidget& canvas, QWidget* pane);
    ~SequencePanel() override;

    [[nodiscard]] SequenceStrip& strip();
    [[nodiscard]] BorderCard& card() { return *m_card; }
    /// Colours of the theme or of tags are others.
    void refreshLooks();
    /// The parts of this run in place of the document's tags, for reading only; null: the document's again.
    void showCut(SplitOutcomePtr cut, int run);
    /// These tags in place of the document's, as what could become of them; null: the document's again.
    void showProposal(const TagAssignment* tags);

    /// Whether the person wants to see it, now and in the next session.
    [[nodiscard]] static bool isWanted();
    static void want(bool isWanted);

signals:
    /// What a border on its way would give these calls; none where it went back.
    void previewed(const sunder::SequenceStrip::Changes& changes);
    void straightenRequested();
    void message(const QString& text);

protected:
    void resizeEvent(QResizeEvent* event) override;
    void showEvent(QShowEvent* event) override;

private:
    void documentChanged(Changes what);
    /// The order of another program.
    void request();
    /// Other tags.
    void takeTags();
    /// Those of the run that is shown, else the document's.
    [[nodiscard]] const TagAssignment& shownTags() const;
    void take(std::shared_ptr<const SequenceContent> content);
    void show(std::shared_ptr<const SequenceContent> content);
    void showSeen();
    void showCard();

    Document& m_document;
    Jobs& m_jobs;
    CanvasWidget& m_canvas;
    std::unique_ptr<Ui::SequencePanel> m_ui;
    BorderCard* m_card;
    SnapshotPtr m_snapshot; ///< of the sequence
    std::shared_ptr<const ModelSequence> m_sequence; ///< null: none yet
    SplitOutcomePtr m_cut; ///< null: the document's tags are shown
    int m_run = 0;         ///< that made it
    bool m_isSeenAsked = false;
};

} // namespace sunder
