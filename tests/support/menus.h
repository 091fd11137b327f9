#pragma once

#include <QApplication>
#include <QMenu>
#include <QStringList>
#include <QTimer>

/// Menus that stay open until an entry is chosen.
namespace sunder::test {

/// Returns the titles of the menu that `open` opens, without shortcuts, disabled ones in brackets. Then chooses the entry with
/// this title, or none.
template <typename Open>
QStringList chooseInMenu(const Open& open, const QString& title = {})
{
    QStringList titles;
    QObject untilItIsOpen;
    QTimer::singleShot(0, &untilItIsOpen, [&] {
        auto* menu = qobject_cast<QMenu*>(QApplication::activePopupWidget());
        QAction* chosen = nullptr;
        for (QAction* action : menu->actions()) {
            if (action->isSeparator())
                continue;
            const QString text = action->text().section(QLatin1Char('\t'), 0, 0).remove(QLatin1Char('&'));
            titles << (action->isEnabled() ? text : QLatin1Char('[') + text + QLatin1Char(']'));
            if (!title.isEmpty() && text == title)
                chosen = action;
        }
        menu->close();
        if (chosen != nullptr)
            chosen->trigger();
    });
    open();
    return titles;
}

} // namespace sunder::test
