#pragma once

#include "document/document.h"
#include "document/runs/cut_measure.h"
#include "panes/partition_dag/dag_view.h"

#include <functional>

namespace sunder {

class MoveCard;
class MoveTrial;

/// Moves ops between the parts of a cut: shows the effects on a card, and paints the result as tags. A move started by keyboard
/// or menu waits for confirmation on the card; a drag ends with the drop.
class PartMover final : public QObject {
    Q_OBJECT

public:
    /// The card floats over `pane`, which contains the view.
    PartMover(Document& document, Jobs& jobs, DagView& view, QWidget& pane);

    [[nodiscard]] MoveCard& card() { return *m_card; }
    [[nodiscard]] MoveTrial& trial() { return *m_trial; }
    /// Returns the notice that this cut became the tags, until the next cut. Empty if it did not, or if that step is undone.
    [[nodiscard]] QString takenOver() const { return m_document.steps().index() < m_step ? QString() : m_takenOver; }
    void forgetTakenOver() { m_takenOver.clear(); }

    /// Sets another cut, or none, and cancels a move in progress.
    void setMeasure(CutMeasurePtr measure);
    /// Returns the selected calls.
    [[nodiscard]] std::vector<NodeId> selectedCalls() const;
    /// Returns e.g. "relu", "3 ops".
    [[nodiscard]] QString nameOf(const std::vector<NodeId>& nodes) const;

    /// Starts to move the selected ops to the previous (−1) or next (1) part. If a move is in progress, counts from its target.
    void moveSelection(int by);
    /// Starts to move the selected ops, or the op of the current handle if it is not selected.
    void moveCurrent();
    /// Starts to move an op across its boundary, with the whole selection if the op is selected.
    void moveHandle(const DagHandle& handle);
    void dragHandle(const DagHandle& handle);
    void begin(std::vector<NodeId> nodes, int box);
    void cancel();
    /// Makes the cut the tags of the source, in one undo step.
    void takeOverAsTags();

    /// Cancels a move of another selection.
    void selectionChanged();
    /// Shows loads on the card that were not known before.
    void costsChanged();
    /// Places the card again after the pane was resized.
    void placeAgain();

signals:
    void message(const QString& text);
    /// Emitted when tags were painted or could not be, or when undo or redo changed takenOver().
    void made();
    /// Emitted to confirm a move in a partition. The move makes the parts the tags, which discards painted tags of another cut;
    /// calling `replace` does it.
    void replacementAsked(const QString& move, const std::function<void()>& replace);

private:
    void previewDragged(const std::vector<NodeId>& nodes, int box);
    void preview(std::vector<NodeId> nodes, int box, bool withButtons);
    void showWords(const MovePreview& preview, int box, bool withButtons);
    /// Returns the loads of a split by tags after a move, as lines; none for a large model.
    [[nodiscard]] QStringList loadLines(const MovePreview& preview) const;
    void placeCard(int box);
    void make(const std::vector<NodeId>& nodes, int box);
    [[nodiscard]] bool isOtherThanPainted() const;
    void moveInPartition(const std::vector<NodeId>& moved, std::int32_t to, const QString& name);
    bool takeOver(const std::vector<NodeId>& moved, std::int32_t to, const QString& undoText);
    /// Records that the last step made the cut the tags.
    void noteTakenOver(const QString& text);
    void followSteps();

    Document& m_document;
    DagView& m_view;
    QWidget& m_pane;
    MoveCard* m_card;
    MoveTrial* m_trial;
    CutMeasurePtr m_measure;
    std::vector<NodeId> m_moving; ///< calls of a move started by keyboard or menu
    int m_target = -1;
    MovePreview m_shown; ///< on the card …
    int m_shownBox = -1; ///< … at this box
    bool m_hasButtons = false;
    std::vector<NodeId> m_dragged; ///< nodes on the card during a drag …
    int m_draggedOver = -1; ///< … and the box below them
    QString m_takenOver;
    int m_step = 0; ///< undo step that took the cut over, counted from 1
    const QUndoCommand* m_command = nullptr; ///< that step; only compared, never dereferenced: it may be deleted
};

} // namespace sunder
