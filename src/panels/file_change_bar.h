#pragma once

#include <QFrame>

#include <memory>

class QPushButton;

namespace sunder {

namespace Ui {
class FileChangeBar;
}

/// A strip above the panes that says that a file changed on disk, and offers what can be done about it. Hidden until there
/// is something to say; takes no focus by itself; Escape in it keeps what is open.
class FileChangeBar final : public QFrame {
    Q_OBJECT

public:
    explicit FileChangeBar(QWidget* parent = nullptr);
    ~FileChangeBar() override;

    struct Notice {
        QString headline;
        QString text;
        QString path;
        bool canRead = true; ///< the file is there to be read again
        QString reloadTip = {};
    };

    /// Shows it; assistive technology is told.
    void show(const Notice& notice);
    /// All that it says.
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
