#pragma once

#include <QAbstractItemView>
#include <QAction>

#include <utility>

namespace sunder {

/// Adds an action to a list whose shortcut is only active while the list has the keyboard focus.
template <typename Receiver, typename What>
void addRowAction(QAbstractItemView& view, const QString& text, const QKeySequence& key, Receiver* receiver, What&& what)
{
    auto* action = new QAction(text, &view);
    action->setShortcut(key);
    action->setShortcutContext(Qt::WidgetShortcut);
    view.addAction(action);
    QObject::connect(action, &QAction::triggered, receiver, std::forward<What>(what));
}

} // namespace sunder
