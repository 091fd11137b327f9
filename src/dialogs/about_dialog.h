#pragma once

#include <QDialog>

#include <memory>

class QLabel;
class QPushButton;

namespace sunder {

namespace Ui {
class AboutDialog;
}

/// Describes Sunder and lists facts for bug reports that can be copied: versions and system.
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
