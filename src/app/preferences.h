#pragma once

#include "app/appearance.h"
#include "app/desktop_motion.h"
#include "canvas/motion.h"

namespace sunder {

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

signals:
    /// Emitted for changes by the user, or by the desktop where preferences follow it.
    void changed();

private:
    Appearance* m_appearance;
    DesktopMotion m_desktopMotion;
};

} // namespace sunder
