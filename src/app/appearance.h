#pragma once

#include "app/desktop_settings.h"

#include <QObject>

class QApplication;

namespace sunder {

/// Light or dark appearance; can follow the desktop (`org.freedesktop.appearance`, else the platform palette). Sets the palette,
/// fonts, and style sheet of the application. All colors come from canvas/palette.h.
class Appearance final : public QObject {
    Q_OBJECT

public:
    enum class Mode : quint8 { system, light, dark };

    explicit Appearance(QApplication& application);
    [[nodiscard]] Mode mode() const { return m_mode; }
    void setMode(Mode mode);

    /// Converts to and from "system", "light", and "dark", for settings and the command line.
    static QString nameOf(Mode mode);
    static Mode modeOf(const QString& name);

signals:
    void changed();

private:
    void apply();

    QApplication& m_application;
    DesktopSettings m_desktop;
    Mode m_mode = Mode::system;
    bool m_systemIsDark = false;
    int m_applied = -1; ///< 0 light, 1 dark
};

} // namespace sunder
