#pragma once

#include <QFrame>

#include <memory>

class QPushButton;

namespace sunder {

struct CrashReports;

namespace Ui {
class CrashBar;
}

/// A bar above the panes at the first start after a crash: shows when and why, and offers the log. Hidden otherwise.
class CrashBar final : public QFrame {
    Q_OBJECT

public:
    explicit CrashBar(QWidget* parent = nullptr);
    ~CrashBar() override;

    void offer(const CrashReports& reports);
    [[nodiscard]] QString text() const;
    [[nodiscard]] QPushButton& showButton();
    [[nodiscard]] QPushButton& dismissButton();

signals:
    void showRequested();
    void dismissRequested();

protected:
    void keyPressEvent(QKeyEvent* event) override; ///< Escape dismisses the bar

private:
    std::unique_ptr<Ui::CrashBar> m_ui;
};

} // namespace sunder
