#pragma once

#include <QObject>
#include <QPointer>
#include <QWidget>

#include <vector>

namespace sunder {

/// Returns whether the user can see at least a part of a widget or its children. Unlike QWidget::visibleRegion(), counts what
/// opaque children cover: a graph that fills its pane completely leaves nothing of the pane. False for docks behind other tabs,
/// which Qt moves outside their window.
[[nodiscard]] bool isInSight(const QWidget& widget);

/// Moves the focus to the next area, or to the previous one if `by` is −1. Prefers lists and graphs over buttons, tabs, and
/// fields. Skips areas that are not visible or cannot take the focus.
void stepFocus(const std::vector<QWidget*>& areas, int by);

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

/// Restores the focus after a dialog closes: to the dialog below it, or to the window. Some window managers do not do that,
/// especially for nested dialogs; then no widget would receive keys until a click.
class ReturnedFocus final : public QObject {
    Q_OBJECT

public:
    explicit ReturnedFocus(QObject* parent = nullptr);

protected:
    bool eventFilter(QObject* watched, QEvent* event) override;

private:
    void noteShown(QWidget& dialog);
    void noteHidden(QWidget& dialog);

    struct Opened {
        QPointer<QWidget> dialog;
        QPointer<QWidget> before; ///< had the focus before
    };
    std::vector<Opened> m_opened; ///< in the order of opening
};

} // namespace sunder
