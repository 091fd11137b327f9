#include "app/settings_command.h"

#include "app/workspace.h"
#include "canvas/gestures.h"
#include "dialogs/settings_dialog.h"
#include "models/command_keys.h"
#include "panes/pane.h"
#include "text/shown_text.h"

#include <QMainWindow>
#include <QMenu>
#include <QMenuBar>
#include <QSet>
#include <QShortcut>

namespace sunder {
namespace {

using Commands = QSet<const QAction*>;

bool isCommand(const QAction& action)
{
    return !action.isSeparator() && action.menu() == nullptr && !action.objectName().isEmpty() && !action.text().isEmpty();
}

void addMenuCommands(CommandKeys& keys, const QMenu& menu, const QString& group, Commands& added)
{
    for (QAction* action : menu.actions()) {
        if (action->menu() != nullptr)
            addMenuCommands(keys, *action->menu(), group, added);
        if (!isCommand(*action) || added.contains(action))
            continue;
        keys.add(*action, group);
        added.insert(action);
    }
}

/// Reserves shortcuts that are not commands of the registry and work only in their pane.
void reserveKeysOfPanes(CommandKeys& keys, const QMainWindow& window, const Commands& commands)
{
    for (const QAction* action : window.findChildren<QAction*>())
        if (!commands.contains(action) && action->shortcutContext() == Qt::WindowShortcut)
            for (const QKeySequence& key : action->shortcuts())
                keys.reserve(key, QObject::tr("means “%1” in a pane").arg(plainTitle(action->text())));
    for (const QShortcut* shortcut : window.findChildren<QShortcut*>())
        if (shortcut->context() == Qt::WindowShortcut || shortcut->context() == Qt::WidgetWithChildrenShortcut)
            keys.reserve(shortcut->key(), QObject::tr("has its own meaning in a pane"));
}

WindowWishes wishesNow(const Actions& actions, const Preferences& preferences)
{
    return {.look = static_cast<LookWish>(preferences.appearance()),
            .motion = preferences.motion(),
            .wheelMoves = actions.wheelMoves->isChecked(),
            .oneColumn = actions.oneColumn->isChecked(),
            .toTheRight = actions.toTheRight->isChecked(),
            .reopens = preferences.reopens(),
            .torchPython = Preferences::torchPython()};
}

/// Applies only changed settings, since each change redraws.
void take(const WindowWishes& wishes, const Actions& actions, Preferences& preferences)
{
    const WindowWishes now = wishesNow(actions, preferences);
    if (wishes.look != now.look)
        preferences.setAppearance(static_cast<Appearance::Mode>(wishes.look));
    if (wishes.motion != now.motion)
        preferences.setMotion(wishes.motion);
    if (wishes.reopens != now.reopens)
        preferences.setReopens(wishes.reopens);
    if (wishes.torchPython != now.torchPython)
        Preferences::setTorchPython(wishes.torchPython);
    actions.wheelMoves->setChecked(wishes.wheelMoves);
    actions.oneColumn->setChecked(wishes.oneColumn);
    actions.toTheRight->setChecked(wishes.toTheRight);
}

} // namespace

void fillCommandKeys(CommandKeys& keys, QMainWindow& window)
{
    Commands added;
    for (const QAction* top : window.menuBar()->actions()) {
        if (top->menu() == nullptr)
            continue;
        addMenuCommands(keys, *top->menu(), plainTitle(top->text()), added);
        keys.reserve(QKeySequence::mnemonic(top->text()), QObject::tr("opens the %1 menu").arg(plainTitle(top->text())));
    }
    for (QAction* action : window.actions()) {
        if (!isCommand(*action) || added.contains(action))
            continue;
        keys.add(*action, QObject::tr("Not in a menu"));
        added.insert(action);
    }
    for (const Gesture& gesture : canvasGestures())
        for (const QString& stroke : QString::fromLatin1(gesture.strokes).split(QLatin1Char(' '), Qt::SkipEmptyParts))
            keys.addGesture(QKeySequence::fromString(stroke, QKeySequence::PortableText), QObject::tr(gesture.does));
    reserveKeysOfPanes(keys, window, added);
    keys.restore();
}

void connectSettings(const Actions& actions, Preferences& preferences, CommandKeys& keys, Workspace& workspace,
                     QMainWindow& window)
{
    const auto refreshKeys = [&workspace] {
        for (Pane* pane : workspace.window()->findChildren<Pane*>())
            pane->refreshKeys();
    };
    QObject::connect(&keys, &CommandKeys::changed, &workspace, refreshKeys);
    refreshKeys();
    QObject::connect(actions.settings, &QAction::triggered, &window, [&actions, &preferences, &keys, &window] {
        auto* dialog = new SettingsDialog(wishesNow(actions, preferences), keys, &window);
        dialog->setAttribute(Qt::WA_DeleteOnClose);
        const auto show = [dialog, &actions, &preferences] { dialog->showWishes(wishesNow(actions, preferences)); };
        QObject::connect(dialog, &SettingsDialog::wished, &window,
                         [&actions, &preferences](const WindowWishes& wishes) { take(wishes, actions, preferences); });
        QObject::connect(&preferences, &Preferences::changed, dialog, show);
        for (const QAction* action : {actions.wheelMoves, actions.oneColumn, actions.toTheRight})
            QObject::connect(action, &QAction::toggled, dialog, show);
        dialog->open();
    });
}

} // namespace sunder
