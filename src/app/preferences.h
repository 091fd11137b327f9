#pragma once

#include "app/appearance.h"
#include "app/desktop_settings.h"
#include "canvas/motion.h"

namespace sunder {

/// Forwards the desktop's reduced-motion setting to Motion. GNOME, KDE, and the common portal use different keys.
class DesktopMotion final : public QObject {
    Q_OBJECT

public:
    explicit DesktopMotion(QObject* parent = nullptr);

signals:
    void changed();

private:
    /// Records the value of one of these keys.
    void take(std::size_t way, bool isReduced);

    DesktopSettings m_desktop;
    std::vector<bool> m_reduced; ///< per key
};

/// User preferences of the window, stored in the settings. Shared by menus and the settings dialog. Preferences that are
/// checkable commands (columns, direction) are stored by those.
class Preferences final : public QObject {
    Q_OBJECT

public:
    /// Without `appearance`, the appearance is stored but not applied.
    explicit Preferences(Appearance* appearance, QObject* parent = nullptr);

    [[nodiscard]] Appearance::Mode appearance() const;
    void setAppearance(Appearance::Mode mode);
    [[nodiscard]] Motion::Wish motion() const { return Motion::wish(); }
    void setMotion(Motion::Wish wish);
    /// Returns whether to reopen the last session at start.
    [[nodiscard]] bool reopens() const;
    void setReopens(bool reopens);
    /// Returns the path of the Python that has PyTorch; empty: search for one.
    [[nodiscard]] static QString torchPython();
    static void setTorchPython(const QString& path);

signals:
    /// Emitted for changes by the user, or by the desktop where preferences follow it.
    void changed();

private:
    Appearance* m_appearance;
    DesktopMotion m_desktopMotion;
};

} // namespace sunder
