#pragma once

#include "dialogs/window_wishes.h"

#include <QDialog>

#include <memory>

namespace sunder {

class CommandKeys;

namespace Ui {
class SettingsDialog;
}

/// Everything that a person can set. What is chosen holds at once; there is nothing to confirm. The dialog keeps nothing: it shows
/// what it is told, and says what is wanted.
class SettingsDialog final : public QDialog {
    Q_OBJECT

public:
    /// `keys` outlives the dialog.
    SettingsDialog(const WindowWishes& now, CommandKeys& keys, QWidget* parent = nullptr);
    ~SettingsDialog() override;

    /// Things were changed elsewhere, as by a menu.
    void showWishes(const WindowWishes& now);

signals:
    void wished(const sunder::WindowWishes& wishes);

private:
    [[nodiscard]] WindowWishes chosen() const;

    std::unique_ptr<Ui::SettingsDialog> m_ui;
};

} // namespace sunder
