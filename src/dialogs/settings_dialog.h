#pragma once

#include "dialogs/window_requests.h"

#include <QDialog>

#include <memory>

namespace sunder {

class CommandKeys;

namespace Ui {
class SettingsDialog;
}

/// All settings. Changes take effect immediately and need no confirmation. The dialog stores nothing: it displays the given
/// values and emits the chosen ones.
class SettingsDialog final : public QDialog {
    Q_OBJECT

public:
    /// `keys` must outlive the dialog.
    SettingsDialog(const WindowWishes& now, CommandKeys& keys, QWidget* parent = nullptr);
    ~SettingsDialog() override;

    /// Displays values that were changed elsewhere, e.g. by a menu.
    void showWishes(const WindowWishes& now);

signals:
    void wished(const sunder::WindowWishes& wishes);

private:
    [[nodiscard]] WindowWishes chosen() const;

    std::unique_ptr<Ui::SettingsDialog> m_ui;
};

} // namespace sunder
