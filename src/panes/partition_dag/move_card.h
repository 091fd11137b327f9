#pragma once

#include "panes/partition_dag/dag_content.h"

#include <QFrame>

#include <memory>

class QPushButton;

namespace sunder {

namespace Ui {
class MoveCard;
}

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
    ~MoveCard() override;
    void showWords(const MoveWords& words, bool withButtons);
    [[nodiscard]] QPushButton& moveButton();
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
    std::unique_ptr<Ui::MoveCard> m_ui;
};

} // namespace sunder
