#pragma once

#include <QObject>
#include <QPointer>
#include <QWidget>

namespace sunder {

/// When somebody asks for a field by its key, what is typed next is meant for that field. Where it cannot have the focus
/// (it is hidden, or out of sight), the keys are dropped: to whatever has the focus instead they would be commands, of
/// which some paint. A click, Tab, Esc or a key with Ctrl or Alt ends it.
class AwaitedFocus final : public QObject {
    Q_OBJECT

public:
    explicit AwaitedFocus(QObject* parent = nullptr);

    /// To be called when the focus was given to the widget, or to one in it.
    void expectIn(QWidget& widget);
    [[nodiscard]] bool isAwaited() const;

protected:
    bool eventFilter(QObject* watched, QEvent* event) override;

private:
    [[nodiscard]] bool isElsewhere() const;

    QPointer<QWidget> m_wanted;
};

} // namespace sunder
