#include "app/desktop_settings.h"

#include <QVariant>
#ifdef SUNDER_DBUS
#include <QDBusConnection>
#include <QDBusMessage>
#include <QDBusPendingCallWatcher>
#include <QDBusPendingReply>
#include <QDBusVariant>
#endif

namespace sunder {
namespace {

#ifdef SUNDER_DBUS
const QString kService = QStringLiteral("org.freedesktop.portal.Desktop");
const QString kPath = QStringLiteral("/org/freedesktop/portal/desktop");
const QString kInterface = QStringLiteral("org.freedesktop.portal.Settings");
#endif

} // namespace

DesktopSettings::DesktopSettings(QObject* parent) : QObject(parent)
{
#ifdef SUNDER_DBUS
    QDBusConnection::sessionBus().connect(kService, kPath, kInterface, QStringLiteral("SettingChanged"), this,
                                          SLOT(settingChanged(QString, QString)));
#endif
}

void DesktopSettings::follow(const QString& group, const QString& key, std::function<void(const QVariant&)> take)
{
    m_followed.push_back({group, key, std::move(take)});
    ask(m_followed.back());
}

void DesktopSettings::settingChanged(const QString& group, const QString& key)
{
    for (const Followed& followed : m_followed)
        if (followed.group == group && followed.key == key)
            ask(followed);
}

void DesktopSettings::ask(const Followed& followed)
{
#ifdef SUNDER_DBUS
    QDBusConnection bus = QDBusConnection::sessionBus();
    if (!bus.isConnected())
        return;
    QDBusMessage message = QDBusMessage::createMethodCall(kService, kPath, kInterface, QStringLiteral("Read"));
    message << followed.group << followed.key;
    auto* waiting = new QDBusPendingCallWatcher(bus.asyncCall(message, 1000), this);
    connect(waiting, &QDBusPendingCallWatcher::finished, this, [take = followed.take](QDBusPendingCallWatcher* answered) {
        answered->deleteLater();
        const QDBusPendingReply<QDBusVariant> reply = *answered;
        if (!reply.isValid())
            return;
        QVariant value = reply.value().variant();
        if (value.canConvert<QDBusVariant>()) // some portals wrap the value twice
            value = value.value<QDBusVariant>().variant();
        take(value);
    });
#else
    Q_UNUSED(followed)
#endif
}

} // namespace sunder

#include "moc_desktop_settings.cpp"
