#pragma once

#include "models/command_keys.h"

#include <QWidget>

#include <memory>

class QTreeWidgetItem;

namespace sunder {

namespace Ui {
class KeysPage;
}

/// The keys of all commands, to be looked up and to be changed by pressing others. Says before a change what it would take from
/// whom, and afterwards what has become of it.
class KeysPage final : public QWidget {
    Q_OBJECT

public:
    /// `keys` outlives the page.
    explicit KeysPage(CommandKeys& keys, QWidget* parent = nullptr);
    ~KeysPage() override;

private:
    void fill();
    void connectButtons();
    /// What the rows say of keys.
    void showKeys();
    void showMatching(const QString& words);
    /// Of the command whose row is current.
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
