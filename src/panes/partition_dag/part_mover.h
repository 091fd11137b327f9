#pragma once

#include "document/document.h"
#include "document/runs/cut_measure.h"
#include "panes/partition_dag/dag_view.h"

#include <functional>

namespace sunder {

class MoveCard;
class MoveTrial;

/// Moves ops from part to part of a cut: says on a card what that would change, and paints it as tags. Begun with keys or the
/// menu, a move waits on its card; dragged, until it is dropped.
class PartMover final : public QObject {
    Q_OBJECT

public:
    /// The card floats over `pane`, which holds the view.
    PartMover(Document& document, Jobs& jobs, DagView& view, QWidget& pane);

    [[nodiscard]] MoveCard& card() { return *m_card; }
    [[nodiscard]] MoveTrial& trial() { return *m_trial; }
    /// Said until the next cut: that this one became tags. Empty: it did not, or that step is undone.
    [[nodiscard]] QString takenOver() const { return m_document.undoStack().index() < m_step ? QString() : m_takenOver; }
    void forgetTakenOver() { m_takenOver.clear(); }

    /// Another cut, or none. What was begun is cancelled.
    void setMeasure(CutMeasurePtr measure);
    /// Calls among the selected nodes.
    [[nodiscard]] std::vector<NodeId> selectedCalls() const;
    /// "relu", "3 ops".
    [[nodiscard]] QString nameOf(const std::vector<NodeId>& nodes) const;

    /// Begins to move the selected ops to the part before (−1) or behind (1) theirs, or where an earlier call led.
    void moveSelection(int by);
    /// Moves what is selected, or the op of the current handle when that is not.
    void moveCurrent();
    /// Over the border that it stands at, with all that is selected when it is.
    void moveHandle(const DagHandle& handle);
    void dragHandle(const DagHandle& handle);
    void begin(std::vector<NodeId> nodes, int box);
    void cancel();
    /// The cut becomes the tags of the source, one undo step.
    void takeOverAsTags();

    /// Cancels a move that was about another selection.
    void selectionChanged();
    /// The pane has another size.
    void placeAgain();

signals:
    void message(const QString& text);
    /// Tags were painted, or could not be, or takenOver() changed by undo or redo.
    void made();
    /// Moving ops in a partition makes its parts the tags: `replace` does so. What was painted, and is another cut, would be gone.
    void replacementAsked(const QString& move, const std::function<void()>& replace);

private:
    void previewDragged(const std::vector<NodeId>& nodes, int box);
    void preview(std::vector<NodeId> nodes, int box, bool withButtons);
    void showWords(const MovePreview& preview, int box, bool withButtons);
    void placeCard(int box);
    void make(const std::vector<NodeId>& nodes, int box);
    [[nodiscard]] bool isOtherThanPainted() const;
    void moveInPartition(const std::vector<NodeId>& moved, std::int32_t to, const QString& name);
    bool takeOver(const std::vector<NodeId>& moved, std::int32_t to, const QString& undoText);
    /// The cut has become tags by the last step.
    void noteTakenOver(const QString& text);
    void followSteps();

    Document& m_document;
    DagView& m_view;
    QWidget& m_pane;
    MoveCard* m_card;
    MoveTrial* m_trial;
    CutMeasurePtr m_measure;
    std::vector<NodeId> m_moving; ///< of a move begun with keys or the menu
    int m_target = -1;
    std::vector<NodeId> m_dragged; ///< what the card speaks of while something is dragged …
    int m_draggedOver = -1; ///< … over this box
    QString m_takenOver;
    int m_step = 0; ///< by which it was taken over, counted from 1
    const QUndoCommand* m_command = nullptr; ///< that step; never looked into: it may be gone
};

} // namespace sunder
