#pragma once

#include "canvas/motion.h"

#include <QDialog>

#include <memory>

namespace sunder {

class CommandKeys;

namespace Ui {
class SettingsDialog;
}

/// Color scheme of the window: that of the desktop, light, or dark.
enum class LookWish : std::uint8_t {
    system,
    light,
    dark,
};

/// Preferences shown by the settings dialog.
struct WindowWishes {
    LookWish look = LookWish::system;
    Motion::Wish motion = Motion::Wish::system;
    bool wheelMoves = false; ///< otherwise the wheel zooms
    bool oneColumn = false;  ///< otherwise as many as fit
    bool toTheRight = false; ///< otherwise edges lead down
    bool reopens = true;     ///< reopen the last session at start
    QString torchPython = {}; ///< path of the Python that has PyTorch; empty: search for one

    friend bool operator==(const WindowWishes&, const WindowWishes&) = default;
};

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
