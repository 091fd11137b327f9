#include "models/command_keys.h"

#include "text/present_keys.h"
#include "text/shown_text.h"

#include <QSettings>

#include <algorithm>

namespace sunder {
namespace {

const QString kKeysGroup = QStringLiteral("keys");
constexpr const char* kTipProperty = "tipWithoutKeys";
constexpr qsizetype kLongestKeys = 200; ///< characters in the settings

/// Returns whether the focused widget needs these keys, which have no Ctrl, Alt, or Meta.
bool isNeededEverywhere(QKeyCombination keys)
{
    if ((keys.keyboardModifiers() & ~Qt::ShiftModifier) != Qt::NoModifier)
        return false;
    constexpr Qt::Key kNeeded[] = {Qt::Key_Escape, Qt::Key_Return, Qt::Key_Enter,  Qt::Key_Tab,      Qt::Key_Backtab,
                                   Qt::Key_Space,  Qt::Key_Left,   Qt::Key_Right,  Qt::Key_Up,       Qt::Key_Down,
                                   Qt::Key_Home,   Qt::Key_End,    Qt::Key_PageUp, Qt::Key_PageDown, Qt::Key_Backspace};
    return std::ranges::find(kNeeded, keys.key()) != std::end(kNeeded);
}

bool isOneStroke(const QKeySequence& key)
{
    return key.count() == 1 && key[0].key() != Qt::Key_unknown && key[0].key() != Qt::Key(0);
}

QString saved(const QList<QKeySequence>& keys)
{
    QStringList lines;
    for (const QKeySequence& key : keys)
        lines << key.toString(QKeySequence::PortableText);
    return lines.join(QLatin1Char('\n'));
}

/// Returns the valid shortcuts of a saved text; others are omitted.
QList<QKeySequence> keysOfSaved(const QString& text)
{
    QList<QKeySequence> keys;
    if (text.size() > kLongestKeys)
        return keys;
    for (const QString& line : text.split(QLatin1Char('\n'), Qt::SkipEmptyParts)) {
        const QKeySequence key = QKeySequence::fromString(line, QKeySequence::PortableText);
        if (isOneStroke(key) && !keys.contains(key) && keys.size() < CommandKeys::kMaxKeys)
            keys << key;
    }
    return keys;
}

QString quoted(const QAction& action)
{
    return tr("“%1”").arg(CommandKeys::nameOf(action));
}

QString keyText(const QKeySequence& key)
{
    return key.toString(QKeySequence::NativeText);
}

QList<QKeySequence> without(QList<QKeySequence> keys, const QList<QKeySequence>& others)
{
    keys.removeIf([&](const QKeySequence& key) { return others.contains(key); });
    return keys;
}

/// Describes the shortcuts that remain if a command loses this one.
QString lossOf(const QAction& action, const QKeySequence& key)
{
    const QList<QKeySequence> left = without(action.shortcuts(), {key});
    return left.isEmpty() ? tr("%1 has no shortcut left").arg(quoted(action))
                          : tr("%1 keeps %2").arg(quoted(action), CommandKeys::textOf(left));
}

} // namespace

// Registration ---------------------------------------------------------------------------------------

void CommandKeys::add(QAction& action, const QString& group)
{
    m_commands.push_back({&action, group, action.shortcuts()});
}

void CommandKeys::addGesture(const QKeySequence& key, const QString& does)
{
    m_gestures.push_back({key, does});
}

void CommandKeys::reserve(const QKeySequence& key, const QString& does)
{
    m_reserved.push_back({key, does});
}

QString CommandKeys::nameOf(const QAction& action)
{
    return plainTitle(action.text());
}

QString CommandKeys::tipOf(const QAction& action)
{
    const QVariant tip = action.property(kTipProperty);
    return tip.isValid() ? tip.toString() : nameOf(action);
}

QString CommandKeys::textOf(const QList<QKeySequence>& keys)
{
    QStringList texts;
    for (const QKeySequence& key : keys)
        texts << keyText(key);
    return texts.join(QStringLiteral(", "));
}

bool CommandKeys::isAtFirst(const Command& command)
{
    return command.action->shortcuts() == command.atFirst;
}

const CommandKeys::Command* CommandKeys::holderOf(const QKeySequence& key) const
{
    const auto at = std::ranges::find_if(m_commands, [&](const Command& one) { return one.action->shortcuts().contains(key); });
    return at == m_commands.end() ? nullptr : &*at;
}

const CommandKeys::Command& CommandKeys::commandOf(const QAction& action) const
{
    return *std::ranges::find(m_commands, &action, &Command::action);
}

KeyVerdict CommandKeys::verdict(const QAction& action, const QKeySequence& key) const
{
    using Kind = KeyVerdict::Kind;
    const QString keys = keyText(key);
    if (!isOneStroke(key))
        return {Kind::refused, tr("A command cannot have this shortcut.")};
    if (isNeededEverywhere(key[0]))
        return {Kind::refused, tr("%1 is needed in lists, fields, and graphs. Combine it with Ctrl or Alt.").arg(keys)};
    if (const auto at = std::ranges::find(m_reserved, key, &Known::key); at != m_reserved.end())
        return {Kind::refused, tr("%1 %2; a command cannot have it.").arg(keys, at->does)};
    if (action.shortcuts().contains(key))
        return {Kind::own, tr("%1 already has %2.").arg(quoted(action), keys)};
    if (const Command* holder = holderOf(key))
        return {Kind::taken,
                tr("%1 belongs to %2 (%3). If you assign it to %4, %5.")
                    .arg(keys, quoted(*holder->action), holder->group, quoted(action), lossOf(*holder->action, key))};
    if (const auto at = std::ranges::find(m_gestures, key, &Known::key); at != m_gestures.end())
        return {Kind::gesture,
                tr("In a graph, %1 means: %2. Assigning it to %3 replaces that.").arg(keys, at->does, quoted(action))};
    return {Kind::free, tr("%1 is available.").arg(keys)};
}

// Changes --------------------------------------------------------------------------------------------

void CommandKeys::setTip(QAction& action, const QString& tip)
{
    action.setProperty(kTipProperty, tip);
    const QString key = keyText(action.shortcut());
    action.setToolTip(key.isEmpty() ? tip : QStringLiteral("%1 (%2)").arg(tip, key));
}

void CommandKeys::show(QAction& action, const QList<QKeySequence>& keys)
{
    if (action.shortcuts() == keys)
        return;
    action.setShortcuts(keys);
    if (const QVariant tip = action.property(kTipProperty); tip.isValid())
        setTip(action, tip.toString());
}

QString CommandKeys::setKeys(QAction& action, const QList<QKeySequence>& keys)
{
    QStringList words;
    for (const QKeySequence& key : keys) {
        const KeyVerdict found = verdict(action, key);
        if (found.kind == KeyVerdict::Kind::refused)
            return found.words;
        if (found.kind != KeyVerdict::Kind::taken)
            continue;
        QAction& holder = *holderOf(key)->action;
        words << lossOf(holder, key);
        show(holder, without(holder.shortcuts(), {key}));
    }
    show(action, keys.mid(0, kMaxKeys));
    words.prepend(keys.isEmpty() ? tr("%1 has no shortcut now").arg(quoted(action))
                                 : tr("%1 has %2 now").arg(quoted(action), textOf(action.shortcuts())));
    save();
    publish();
    return words.join(QStringLiteral("; ")) + QLatin1Char('.');
}

QString CommandKeys::addKey(QAction& action, const QKeySequence& key)
{
    QList<QKeySequence> keys = action.shortcuts();
    if (keys.size() >= kMaxKeys)
        return tr("%1 already has %2 shortcuts, the maximum.").arg(quoted(action)).arg(kMaxKeys);
    return setKeys(action, keys.contains(key) ? keys : keys << key);
}

QString CommandKeys::reset(QAction& action)
{
    return setKeys(action, commandOf(action).atFirst);
}

void CommandKeys::resetAll()
{
    for (const Command& command : m_commands)
        show(*command.action, command.atFirst);
    save();
    publish();
}

/// Updates texts that name shortcuts.
void CommandKeys::publish()
{
    QHash<QString, QString> others;
    for (const Command& command : m_commands)
        if (!isAtFirst(command))
            for (const QKeySequence& key : without(command.atFirst, command.action->shortcuts()))
                others.insert(keyText(key), keyText(command.action->shortcut()));
    setPresentKeys(others);
    emit changed();
}

// Settings -------------------------------------------------------------------------------------------

void CommandKeys::save() const
{
    QSettings settings;
    settings.beginGroup(kKeysGroup);
    for (const Command& command : m_commands) {
        if (isAtFirst(command))
            settings.remove(command.action->objectName());
        else
            settings.setValue(command.action->objectName(), saved(command.action->shortcuts()));
    }
}

/// The user's choices take precedence over default shortcuts.
void CommandKeys::restore()
{
    QSettings settings;
    settings.beginGroup(kKeysGroup);
    QList<QKeySequence> given;
    const auto give = [&](const Command& command, const QList<QKeySequence>& wanted, bool isChosen) {
        QList<QKeySequence> keys;
        for (const QKeySequence& key : wanted)
            if (!given.contains(key) && (!isChosen || verdict(*command.action, key).kind != KeyVerdict::Kind::refused))
                keys << key;
        given << keys;
        show(*command.action, keys);
    };
    const auto isSet = [&](const Command& command) { return settings.contains(command.action->objectName()); };
    for (const Command& command : m_commands)
        if (isSet(command))
            give(command, keysOfSaved(settings.value(command.action->objectName()).toString()), true);
    for (const Command& command : m_commands)
        if (!isSet(command))
            give(command, command.atFirst, false);
    publish();
}

} // namespace sunder

#include "moc_command_keys.cpp"
