#pragma once

#include <QDialog>

#include <memory>

class QPlainTextEdit;
class QPushButton;

namespace sunder {

namespace Ui {
class CrashDialog;
}

/// Shows the crash log, for copying.
class CrashDialog final : public QDialog {
    Q_OBJECT

public:
    explicit CrashDialog(const QString& reports, QWidget* parent = nullptr);
    ~CrashDialog() override;

    [[nodiscard]] QPlainTextEdit& report();
    [[nodiscard]] QPushButton& copyButton();

private:
    std::unique_ptr<Ui::CrashDialog> m_ui;
};

} // namespace sunder
