#pragma once

#include <QFrame>

#include <memory>

class QPushButton;

namespace sunder {

namespace Ui {
class FileChangeBar;
}

/// A bar above the panes that reports a changed file on disk and offers actions. Hidden otherwise. It does not take the focus
/// when it appears; Escape in it keeps the open version.
class FileChangeBar final : public QFrame {
    Q_OBJECT

public:
    explicit FileChangeBar(QWidget* parent = nullptr);
    ~FileChangeBar() override;

    struct Notice {
        QString headline;
        QString text;
        QString path;
        bool canRead = true; ///< the file can be read again
        QString reloadTip = {};
    };

    /// Shows the notice and announces it to assistive technology.
    void show(const Notice& notice);
    /// Returns the complete text.
    [[nodiscard]] QString text() const;
    [[nodiscard]] QPushButton& compareButton();
    [[nodiscard]] QPushButton& reloadButton();
    [[nodiscard]] QPushButton& keepButton();

signals:
    void compareRequested();
    void reloadRequested();
    void keepRequested();

protected:
    void keyPressEvent(QKeyEvent* event) override;

private:
    std::unique_ptr<Ui::FileChangeBar> m_ui;
};

} // namespace sunder
