#pragma once

#include "app/desktop_settings.h"

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

} // namespace sunder
