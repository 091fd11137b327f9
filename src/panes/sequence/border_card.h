#pragma once

#include "panes/sequence/border_words.h"

#include <QFrame>

#include <memory>

namespace sunder {

namespace Ui {
class BorderCard;
}

/// A card with the description of a stage boundary. It floats over the graph next to the strip and ignores the mouse.
class BorderCard final : public QFrame {
    Q_OBJECT

public:
    explicit BorderCard(QWidget* parent);
    ~BorderCard() override;
    /// `isDragged`: the boundary is moved by the mouse, so that keyboard hints are omitted.
    void showWords(const BorderWords& words, bool isDragged);
    [[nodiscard]] QString text() const;

private:
    std::unique_ptr<Ui::BorderCard> m_ui;
};

} // namespace sunder
