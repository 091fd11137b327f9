#pragma once

#include "models/command_keys.h"

#include <QWidget>

#include <memory>

class QTreeWidgetItem;

namespace sunder {

namespace Ui {
class KeysPage;
}

/// Settings page to find shortcuts and to change them by pressing keys. Shows conflicts with other commands before a change, and
/// its result afterwards.
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
