#include "app/appearance.h"

#include "app/style_sheet.h"
#include "models/themed_icon.h"

#include <QApplication>
#include <QFontDatabase>
#include <QStyleFactory>
#ifdef SUNDER_DBUS
#include <QDBusConnection>
#include <QDBusMessage>
#include <QDBusPendingCallWatcher>
#include <QDBusPendingReply>
#include <QDBusVariant>
#endif

#include <algorithm>

namespace sunder {
namespace {

#ifdef SUNDER_DBUS
const QString kService = QStringLiteral("org.freedesktop.portal.Desktop");
const QString kPath = QStringLiteral("/org/freedesktop/portal/desktop");
const QString kInterface = QStringLiteral("org.freedesktop.portal.Settings");
#endif
const QString kGroup = QStringLiteral("org.freedesktop.appearance");
const QString kKey = QStringLiteral("color-scheme");

} // namespace

Appearance::Appearance(QApplication& application)
    : m_application(application), m_systemIsDark(QApplication::palette().color(QPalette::Window).lightness() < 128)
{
    loadResources();
    QApplication::setStyle(QStyleFactory::create(QStringLiteral("Fusion")));
    QFont font = QFontDatabase::systemFont(QFontDatabase::GeneralFont);
    font.setPointSizeF(std::clamp(font.pointSizeF(), 9.0, 10.0));
    QApplication::setFont(font);
#ifdef SUNDER_DBUS
    QDBusConnection::sessionBus().connect(kService, kPath, kInterface, QStringLiteral("SettingChanged"), this,
                                          SLOT(portalSettingChanged(QString, QString)));
#endif
    apply();
    askPortal();
}

void Appearance::setMode(Mode mode)
{
    m_mode = mode;
    apply();
}

QString Appearance::nameOf(Mode mode)
{
    switch (mode) {
    case Mode::light: return QStringLiteral("light");
    case Mode::dark: return QStringLiteral("dark");
    case Mode::system: break;
    }
    return QStringLiteral("system");
}

Appearance::Mode Appearance::modeOf(const QString& name)
{
    return name == QLatin1String("light") ? Mode::light : name == QLatin1String("dark") ? Mode::dark : Mode::system;
}

void Appearance::portalSettingChanged(const QString& group, const QString& key)
{
    if (group == kGroup && key == kKey)
        askPortal();
}

void Appearance::askPortal()
{
#ifdef SUNDER_DBUS
    QDBusConnection bus = QDBusConnection::sessionBus();
    if (!bus.isConnected())
        return;
    QDBusMessage message = QDBusMessage::createMethodCall(kService, kPath, kInterface, QStringLiteral("Read"));
    message << kGroup << kKey;
    auto* waiting = new QDBusPendingCallWatcher(bus.asyncCall(message, 1000), this);
    connect(waiting, &QDBusPendingCallWatcher::finished, this, [this](QDBusPendingCallWatcher* answered) {
        answered->deleteLater();
        const QDBusPendingReply<QDBusVariant> reply = *answered;
        if (!reply.isValid())
            return;
        QVariant value = reply.value().variant();
        if (value.canConvert<QDBusVariant>()) // some portals wrap it twice
            value = value.value<QDBusVariant>().variant();
        const uint scheme = value.toUInt(); // 0: no preference, 1: dark, 2: light
        if (scheme != 0) {
            m_systemIsDark = scheme == 1;
            apply();
        }
    });
#endif
}

void Appearance::apply()
{
    const bool dark = m_mode == Mode::dark || (m_mode == Mode::system && m_systemIsDark);
    if (m_applied == (dark ? 1 : 0))
        return;
    m_applied = dark ? 1 : 0;
    const Theme& look = theme(dark);
    QApplication::setPalette(paletteOf(look));
    m_application.setStyleSheet(styleSheetOf(look));
    emit changed();
}

} // namespace sunder
