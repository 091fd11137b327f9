#pragma once

#include <QDialog>

#include <memory>

namespace sunder {

namespace Ui {
class StagesDialog;
}

/// Asks for "K consecutive stages, equal by bytes or by ops".
class StagesDialog final : public QDialog {
    Q_OBJECT

public:
    /// `ops`: call nodes of the model, the most stages that make sense.
    explicit StagesDialog(int ops, QWidget* parent = nullptr);
    ~StagesDialog() override;
    [[nodiscard]] int count() const;
    [[nodiscard]] bool byBytes() const;

private:
    std::unique_ptr<Ui::StagesDialog> m_ui;
};

} // namespace sunder
