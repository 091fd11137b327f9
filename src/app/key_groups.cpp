#include "app/key_groups.h"

#include "canvas/gestures.h"

#include <QMenu>
#include <QMenuBar>

namespace sunder {
namespace {

QString withoutMnemonic(QString text)
{
    text.replace(QStringLiteral("&&"), QStringLiteral("\n"));
    text.remove(QLatin1Char('&'));
    return text.replace(QLatin1Char('\n'), QLatin1Char('&'));
}

QString keysOf(const QAction& action)
{
    QStringList keys;
    for (const QKeySequence& key : action.shortcuts())
        keys << key.toString(QKeySequence::NativeText);
    return keys.join(QStringLiteral(", "));
}

void addRows(const QMenu& menu, const QString& before, std::vector<KeyGroup::Row>& rows)
{
    for (const QAction* action : menu.actions()) {
        if (action->isSeparator() || action->text().isEmpty())
            continue;
        const QString text = before + withoutMnemonic(action->text());
        if (action->menu() != nullptr)
            addRows(*action->menu(), text + QStringLiteral(" › "), rows);
        else
            rows.push_back({keysOf(*action), text});
    }
}

KeyGroup graphGestures()
{
    KeyGroup group{QObject::tr("In a graph"), {}};
    for (const Gesture& gesture : canvasGestures())
        group.rows.push_back({QObject::tr(gesture.keys), QObject::tr(gesture.does)});
    return group;
}

KeyGroup listKeys()
{
    return {QObject::tr("In lists and tables"),
            {{QObject::tr("Enter"), QObject::tr("outline, problems, inspector, steps: go there; runs: show the result")},
             {QObject::tr("C"), QObject::tr("runs: compare with the previous run")},
             {QObject::tr("R"), QObject::tr("runs: run again with other options")},
             {QObject::tr("F2"), QObject::tr("runs, tags, devices: rename")},
             {QObject::tr("Delete"), QObject::tr("runs, tags, devices: remove")},
             {QObject::tr("Alt+Enter"), QObject::tr("tags: select the ops; search: paint all hits")},
             {QObject::tr("Alt+Down"), QObject::tr("search: paint all hits with another tag, or erase their tags")},
             {QObject::tr("Insert"), QObject::tr("devices: add a device; with Alt, a preset")},
             {QObject::tr("Alt+Up, Alt+Down"), QObject::tr("tags, devices: move up and down")},
             {QObject::tr("Ctrl+C, Ctrl+V"), QObject::tr("devices: copy and paste rows, also from a spreadsheet")},
             {QObject::tr("M"), QObject::tr("partition DAG: move the selection to another part; Up and Down choose it")}}};
}

} // namespace

std::vector<KeyGroup> keyGroups(const QMenuBar& menus)
{
    std::vector<KeyGroup> groups{graphGestures()};
    for (const QAction* action : menus.actions()) {
        if (action->menu() == nullptr)
            continue;
        KeyGroup group{withoutMnemonic(action->text()), {}};
        addRows(*action->menu(), {}, group.rows);
        if (!group.rows.empty())
            groups.push_back(std::move(group));
    }
    groups.push_back(listKeys());
    return groups;
}

} // namespace sunder
