#pragma once

#include "panes/partition_dag/dag_content.h"

#include <QFrame>

class QLabel;
class QPushButton;

namespace sunder {

/// What a move of nodes to another part would change, in words: on a card that floats over the DAG.
struct MoveWords {
    QString title;   ///< "Move relu to stage1"
    QStringList lines;
    QString verdict; ///< whether the cut stays legal, and why not
    bool isLegal = true;
};
MoveWords wordsOf(const CutMeasure& measure, const DagContent& content, const MovePreview& preview);

/// The card. Up and Down on it lead to the part before and behind. While something is dragged it only says; when a move was begun with keys or the menu it has buttons.
class MoveCard final : public QFrame {
    Q_OBJECT

public:
    explicit MoveCard(QWidget* parent);
    void showWords(const MoveWords& words, bool withButtons);
    [[nodiscard]] QPushButton& moveButton() { return *m_move; }
    [[nodiscard]] QString text() const;

signals:
    void accepted();
    /// Up (−1) or Down (1): another part is wanted.
    void stepped(int by);
    void rejected();

protected:
    /// Enter, Esc, Up and Down, whichever of its buttons has the focus.
    void keyPressEvent(QKeyEvent* event) override;

private:
    QLabel* m_title;
    QLabel* m_lines;
    QLabel* m_verdict;
    QWidget* m_buttons;
    QPushButton* m_move;
    QPushButton* m_cancel;
};

} // namespace sunder
