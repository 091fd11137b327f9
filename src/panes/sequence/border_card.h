#pragma once

#include "panes/sequence/border_words.h"

#include <QFrame>

#include <memory>

namespace sunder {

namespace Ui {
class BorderCard;
}

/// A border in words, on a card that floats over the graph beside the strip. It takes no mouse.
class BorderCard final : public QFrame {
    Q_OBJECT

public:
    explicit BorderCard(QWidget* parent);
    ~BorderCard() override;
    /// `isDragged`: by the mouse, which keys do not tell about.
    void showWords(const BorderWords& words, bool isDragged);
    [[nodiscard]] QString text() const;

private:
    std::unique_ptr<Ui::BorderCard> m_ui;
};

} // namespace sunder
