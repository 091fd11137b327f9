#pragma once

#include <QKeySequence>
#include <QLineEdit>

namespace sunder {

/// Records a pressed key combination as a shortcut. Tab leaves the field. Escape clears it, or closes the dialog if it is empty.
/// Return confirms the shortcut.
class KeyField final : public QLineEdit {
    Q_OBJECT

public:
    explicit KeyField(QWidget* parent = nullptr);

    /// Empty until a key is pressed.
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
