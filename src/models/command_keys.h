#pragma once

#include <QAction>
#include <QKeySequence>
#include <QList>
#include <QObject>

#include <vector>

namespace sunder {

/// The effect of assigning a shortcut to a command.
struct KeyVerdict {
    enum class Kind : std::uint8_t {
        free,
        own,     ///< the command has it already
        taken,   ///< another command would lose it
        gesture, ///< it would replace a gesture of graphs
        refused, ///< reserved for windows, lists, and menus
    };
    Kind kind = Kind::free;
    QString words; ///< a sentence or two: the current owner, and the effect
};

/// The shortcuts of all commands, their defaults, and the effects of changes. Changes take effect immediately and in the next
/// session: differences from the defaults are kept in the settings, which are validated when they are read.
///
/// A shortcut belongs to at most one command; assigning it removes it from the other.
class CommandKeys final : public QObject {
    Q_OBJECT

public:
    struct Command {
        QAction* action; ///< its objectName is the key in the settings
        QString group;   ///< its menu, e.g. "View"
        QList<QKeySequence> atFirst;
    };
    static constexpr int kMaxKeys = 4; ///< per command

    explicit CommandKeys(QObject* parent = nullptr) : QObject(parent) {}

    /// Adds a command; its current shortcuts become the defaults. The action needs a unique objectName and must outlive this.
    void add(QAction& action, const QString& group);
    /// Adds a key of graphs and its function there, e.g. "go to the next marked item".
    void addGesture(const QKeySequence& key, const QString& does);
    /// Adds a key that no command can have, and its function, e.g. "opens the File menu".
    void reserve(const QKeySequence& key, const QString& does);
    /// Restores the shortcuts from the settings; omits invalid ones and those of another command.
    void restore();

    [[nodiscard]] const std::vector<Command>& commands() const { return m_commands; }
    /// Returns the command's name without mnemonics and dots, e.g. "Export".
    [[nodiscard]] static QString nameOf(const QAction& action);
    /// Returns its tooltip without shortcuts.
    [[nodiscard]] static QString tipOf(const QAction& action);
    /// Returns e.g. "F, Ctrl+0", as written on this platform.
    [[nodiscard]] static QString textOf(const QList<QKeySequence>& keys);
    [[nodiscard]] static bool isAtFirst(const Command& command);

    [[nodiscard]] KeyVerdict verdict(const QAction& action, const QKeySequence& key) const;
    /// Assigns exactly these shortcuts to the command, and removes them from others. Refused shortcuts change nothing. Returns a
    /// description of the result.
    QString setKeys(QAction& action, const QList<QKeySequence>& keys);
    QString addKey(QAction& action, const QKeySequence& key);
    /// Restores the defaults, and removes them from commands that have them now.
    QString reset(QAction& action);
    void resetAll();

    /// Sets the tooltip of a command; its shortcuts are appended and kept up to date.
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
