#pragma once

#include <QKeySequence>
#include <QLineEdit>

namespace sunder {

/// Takes the keys that are pressed in it, all at once, as those of a command. Tab leaves it, and Escape, where it is empty, is the
/// dialog's; Return asks for the keys to be used.
class KeyField final : public QLineEdit {
    Q_OBJECT

public:
    explicit KeyField(QWidget* parent = nullptr);

    /// Empty as long as nothing was pressed.
    [[nodiscard]] const QKeySequence& keys() const { return m_keys; }
    void forget();

signals:
    void pressed(const QKeySequence& keys);
    void confirmed();

protected:
    bool event(QEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;
    void contextMenuEvent(QContextMenuEvent* event) override;

private:
    QKeySequence m_keys;
};

} // namespace sunder
