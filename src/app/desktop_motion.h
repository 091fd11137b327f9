#pragma once

#include "app/desktop_settings.h"

namespace sunder {

/// Tells Motion what the desktop wants: GNOME and KDE each say it in their way, newer desktops in a common one.
class DesktopMotion final : public QObject {
    Q_OBJECT

public:
    explicit DesktopMotion(QObject* parent = nullptr);

signals:
    void changed();

private:
    /// One of the ways says so, or does not any more.
    void take(std::size_t way, bool isReduced);

    DesktopSettings m_desktop;
    std::vector<bool> m_reduced; ///< by way
};

} // namespace sunder
