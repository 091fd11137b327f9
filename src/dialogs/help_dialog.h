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

/// The documentation, to be read beside the window: its pages at the left, one of them at the right. They are those of docs/.
class HelpDialog final : public QDialog {
    Q_OBJECT

public:
    explicit HelpDialog(QWidget* parent = nullptr);
    ~HelpDialog() override;

    /// Shows the page of this name ("first-cut") in the help of a window, which is made when there is none.
    static void show(const QString& page, QWidget& window);

    /// Nothing happens where there is no such page.
    void setPage(const QString& name);
    [[nodiscard]] QListWidget& pages();
    [[nodiscard]] QTextBrowser& page();

private:
    void follow(const QUrl& link);

    std::unique_ptr<Ui::HelpDialog> m_ui;
};

} // namespace sunder
