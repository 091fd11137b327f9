#pragma once

#include "panes/partition_dag/dag_content.h"

#include <QFrame>

#include <memory>

class QPushButton;

namespace sunder {

namespace Ui {
class MoveCard;
}

/// The effects of a move of nodes to another part, as texts for a card that floats over the DAG.
struct MoveWords {
    QString title;   ///< "Move relu to stage1"
    QStringList lines;
    QString verdict; ///< whether the cut stays legal; if not, the reason
    bool isLegal = true;
};
MoveWords wordsOf(const CutMeasure& measure, const DagContent& content, const MovePreview& preview);

/// The card. During a drag it only shows the effects. For a move started by keyboard or menu it also has buttons, and Up and Down
/// choose the previous or next part.
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
    /// Emitted for Up (−1) and Down (1): choose the previous or next part.
    void stepped(int by);
    void rejected();

protected:
    /// Handles Enter, Esc, Up, and Down, even if a button has the focus.
    void keyPressEvent(QKeyEvent* event) override;

private:
    std::unique_ptr<Ui::MoveCard> m_ui;
};

} // namespace sunder
