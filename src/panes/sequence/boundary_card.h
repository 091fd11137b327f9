#pragma once

#include "panes/sequence/boundary_words.h"
#include "panes/sequence/load_bars.h"

#include <QFrame>

#include <memory>

namespace sunder {

namespace Ui {
class BoundaryCard;
}

/// A card with the description of a stage boundary. It floats over the graph next to the strip and ignores the mouse.
class BoundaryCard final : public QFrame {
    Q_OBJECT

public:
    explicit BoundaryCard(QWidget* parent);
    ~BoundaryCard() override;
    /// `isDragged`: the boundary is moved by the mouse, so that keyboard hints are omitted.
    void showWords(const BoundaryWords& words, bool isDragged);
    /// Shows the loads of the stages below the other figures, until the next showWords().
    void showLoads(const LoadWords& loads);
    [[nodiscard]] QString text() const;

private:
    std::unique_ptr<Ui::BoundaryCard> m_ui;
    QStringList m_loads; ///< as lines
};

} // namespace sunder
