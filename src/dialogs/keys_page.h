#pragma once

#include "models/command_keys.h"

#include <QDialog>
#include <QKeySequence>
#include <QLineEdit>
#include <QWidget>
#include <memory>
#include <vector>

class QLineEdit;
class QTreeWidget;

namespace sunder {

namespace Ui {
class KeysDialog;
}

/// A group of commands and gestures.
struct KeyGroup {
    struct Row {
        QString keys; ///< "Ctrl+F"; empty if the command has no shortcut
        QString does;
    };
    QString title;
    std::vector<Row> rows;
};

/// Lists all shortcuts and gestures, searchable by keys and description.
class KeysDialog final : public QDialog {
    Q_OBJECT

public:
    explicit KeysDialog(const std::vector<KeyGroup>& groups, QWidget* parent = nullptr);
    ~KeysDialog() override;

    [[nodiscard]] QLineEdit& filter();
    [[nodiscard]] QTreeWidget& rows();

private:
    void showMatching(const QString& words);

    std::unique_ptr<Ui::KeysDialog> m_ui;
};

/// Records a pressed key combination as a shortcut. Tab leaves the field. Escape clears it, or closes the dialog if it is empty.
/// Return confirms the shortcut.
class KeyField final : public QLineEdit {
    Q_OBJECT

public:
    explicit KeyField(QWidget* parent = nullptr);

    /// Empty until a key is pressed.
    [[nodiscard]] const QKeySequence& keys() const { return m_keys; }
    void forget();

signals:
    void pressed(const QKeySequence& keys);
    void confirmed();

protected:
    bool event(QEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;
    void contextMenuEvent(QContextMenuEvent* event) override;

private:
    QKeySequence m_keys;
};

} // namespace sunder

class QTreeWidgetItem;

namespace sunder {

namespace Ui {
class KeysPage;
}

/// Settings page to find shortcuts and to change them by pressing keys. Shows conflicts with other commands before a change, and
/// its result afterward.
class KeysPage final : public QWidget {
    Q_OBJECT

public:
    /// `keys` must outlive the page.
    explicit KeysPage(CommandKeys& keys, QWidget* parent = nullptr);
    ~KeysPage() override;

private:
    void fill();
    void connectButtons();
    /// Updates the shortcuts in all rows.
    void showKeys();
    void showMatching(const QString& words);
    /// Shows the command of the current row.
    void showCommand();
    void showVerdict();
    [[nodiscard]] QAction* command() const;
    void changed(const QString& words);
    void askToResetAll();

    CommandKeys& m_keys;
    std::unique_ptr<Ui::KeysPage> m_ui;
    std::vector<QTreeWidgetItem*> m_rows; ///< by command
};

} // namespace sunder
