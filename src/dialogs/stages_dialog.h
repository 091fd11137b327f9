#pragma once

#include <QDialog>

class QRadioButton;
class QSpinBox;

namespace sunder {

/// Asks for "K consecutive stages, equal by bytes or by ops".
class StagesDialog final : public QDialog {
    Q_OBJECT

public:
    /// `ops`: call nodes of the model, the most stages that make sense.
    explicit StagesDialog(int ops, QWidget* parent = nullptr);
    [[nodiscard]] int count() const;
    [[nodiscard]] bool byBytes() const;

private:
    QSpinBox* m_count;
    QRadioButton* m_bytes;
};

} // namespace sunder
