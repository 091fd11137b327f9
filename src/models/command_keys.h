#pragma once

#include <QAction>
#include <QKeySequence>
#include <QList>
#include <QObject>

#include <vector>

namespace sunder {

/// What somebody would get who gives a command these keys.
struct KeyVerdict {
    enum class Kind : std::uint8_t {
        free,
        own,     ///< the command has them
        taken,   ///< another command has them, and would lose them
        gesture, ///< graphs know what to do with it, and would not do it any more
        refused, ///< windows, lists and menus need it
    };
    Kind kind = Kind::free;
    QString words; ///< a sentence or two: who has the keys, and what would happen
};

/// The keys of all commands: which they have, which they had at first, and what changing them means. Changes hold at once, and
/// in the next session: what differs from the first keys is in the settings, and is not trusted when it is read.
///
/// No key is of two commands: whoever gets it takes it from the other.
class CommandKeys final : public QObject {
    Q_OBJECT

public:
    struct Command {
        QAction* action; ///< its objectName is what the settings know it by
        QString group;   ///< the menu that it stands in: "View"
        QList<QKeySequence> atFirst;
    };
    static constexpr int kMostKeys = 4; ///< of a command

    explicit CommandKeys(QObject* parent = nullptr) : QObject(parent) {}

    /// Its keys now are those at first. The action has an objectName of its own and outlives this.
    void add(QAction& action, const QString& group);
    /// A key that graphs know, and what it does there: "go to the next marked item".
    void addGesture(const QKeySequence& key, const QString& does);
    /// A key that no command can have, and what needs it: "opens the menu File".
    void reserve(const QKeySequence& key, const QString& does);
    /// Takes what the settings say. What there makes no sense, or is of another command already, is left out.
    void restore();

    [[nodiscard]] const std::vector<Command>& commands() const { return m_commands; }
    /// The command's name without mnemonics and dots: "Export".
    [[nodiscard]] static QString nameOf(const QAction& action);
    /// What it does, without its keys.
    [[nodiscard]] static QString tipOf(const QAction& action);
    /// "F, Ctrl+0", as the platform writes it.
    [[nodiscard]] static QString textOf(const QList<QKeySequence>& keys);
    [[nodiscard]] static bool isAtFirst(const Command& command);

    [[nodiscard]] KeyVerdict verdict(const QAction& action, const QKeySequence& key) const;
    /// The command has these keys and no others; who had them has them no more. Of keys that are refused, nothing happens.
    /// Returns what became of it, in words.
    QString setKeys(QAction& action, const QList<QKeySequence>& keys);
    QString addKey(QAction& action, const QKeySequence& key);
    /// As at first; who has those keys now loses them.
    QString reset(QAction& action);
    void resetAll();

    /// The tooltip of a command: what it does, and its keys, which follow from then on.
    static void setTip(QAction& action, const QString& tip);

signals:
    void changed();

private:
    [[nodiscard]] const Command* holderOf(const QKeySequence& key) const;
    [[nodiscard]] const Command& commandOf(const QAction& action) const;
    static void show(QAction& action, const QList<QKeySequence>& keys);
    void publish();
    void save() const;

    struct Known {
        QKeySequence key;
        QString does;
    };
    std::vector<Command> m_commands;
    std::vector<Known> m_gestures;
    std::vector<Known> m_reserved;
};

} // namespace sunder
