#pragma once

#include <QFrame>

class QLabel;
class QPushButton;

namespace sunder {

/// A strip above the panes that says that a file changed on disk, and offers what can be done about it. Hidden until there
/// is something to say; takes no focus by itself; Escape in it keeps what is open.
class FileChangeBar final : public QFrame {
    Q_OBJECT

public:
    explicit FileChangeBar(QWidget* parent = nullptr);

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
    [[nodiscard]] QPushButton& compareButton() { return *m_compare; }
    [[nodiscard]] QPushButton& reloadButton() { return *m_reload; }
    [[nodiscard]] QPushButton& keepButton() { return *m_keep; }

signals:
    void compareRequested();
    void reloadRequested();
    void keepRequested();

protected:
    void keyPressEvent(QKeyEvent* event) override;

private:
    QLabel* m_icon;
    QLabel* m_headline;
    QLabel* m_text;
    QPushButton* m_compare;
    QPushButton* m_reload;
    QPushButton* m_keep;
};

} // namespace sunder
