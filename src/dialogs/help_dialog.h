#pragma once

#include <QDialog>

#include <memory>

class QListWidget;
class QTextBrowser;
class QUrl;

namespace sunder {

namespace Ui {
class HelpDialog;
}

/// Non-modal help window: a list of the pages of docs/ on the left, the current page on the right.
class HelpDialog final : public QDialog {
    Q_OBJECT

public:
    explicit HelpDialog(QWidget* parent = nullptr);
    ~HelpDialog() override;

    /// Shows the page with this name ("first-cut") in the help window, which is created if needed.
    static void show(const QString& page, QWidget& window);

    /// Does nothing if there is no such page.
    void setPage(const QString& name);
    [[nodiscard]] QListWidget& pages();
    [[nodiscard]] QTextBrowser& page();

private:
    void follow(const QUrl& link);

    std::unique_ptr<Ui::HelpDialog> m_ui;
};

} // namespace sunder
