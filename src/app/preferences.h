#pragma once

#include "app/appearance.h"
#include "app/desktop_motion.h"
#include "canvas/motion.h"

namespace sunder {

/// What a person wants of the window as a whole, in this session and the next: the one place that keeps it, for menus and the
/// dialog of settings alike. What is a command with a tick of its own (columns, direction) is kept by that.
class Preferences final : public QObject {
    Q_OBJECT

public:
    /// Without `appearance` the look of the window is kept, but nothing is changed by it.
    explicit Preferences(Appearance* appearance, QObject* parent = nullptr);

    [[nodiscard]] Appearance::Mode appearance() const;
    void setAppearance(Appearance::Mode mode);
    [[nodiscard]] Motion::Wish motion() const { return Motion::wish(); }
    void setMotion(Motion::Wish wish);
    /// At start, what was open at the end of the session before.
    [[nodiscard]] bool reopens() const;
    void setReopens(bool reopens);

signals:
    /// By the person, or what is left to the desktop by the desktop.
    void changed();

private:
    Appearance* m_appearance;
    DesktopMotion m_desktopMotion;
};

} // namespace sunder
