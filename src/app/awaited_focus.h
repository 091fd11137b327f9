#pragma once

#include <QObject>
#include <QPointer>
#include <QWidget>

namespace sunder {

/// Protects the graph from keys meant for a text field. After a shortcut requests a field that cannot take the focus (hidden or
/// not visible), typed keys are dropped. Otherwise the focused widget would treat them as commands, including painting. A click,
/// Tab, Esc, or a key with Ctrl or Alt ends this state.
class AwaitedFocus final : public QObject {
    Q_OBJECT

public:
    explicit AwaitedFocus(QObject* parent = nullptr);

    /// Call after giving the focus to the widget or to one of its children.
    void expectIn(QWidget& widget);
    [[nodiscard]] bool isAwaited() const;

protected:
    bool eventFilter(QObject* watched, QEvent* event) override;

private:
    [[nodiscard]] bool isElsewhere() const;

    QPointer<QWidget> m_wanted;
};

} // namespace sunder
