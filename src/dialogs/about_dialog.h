#pragma once

#include <QDialog>

#include <memory>

class QLabel;
class QPushButton;

namespace sunder {

namespace Ui {
class AboutDialog;
}

/// What Sunder is, and what a report of a fault needs to know: versions and system, to be copied.
class AboutDialog final : public QDialog {
    Q_OBJECT

public:
    explicit AboutDialog(QWidget* parent = nullptr);
    ~AboutDialog() override;

    [[nodiscard]] QLabel& facts();
    [[nodiscard]] QPushButton& copyButton();

private:
    std::unique_ptr<Ui::AboutDialog> m_ui;
};

} // namespace sunder
