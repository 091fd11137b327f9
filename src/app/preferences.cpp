#include "app/preferences.h"

#include <QSettings>

namespace sunder {
namespace {
constexpr const char* kReopensKey = "reopens";
} // namespace

Preferences::Preferences(Appearance* appearance, QObject* parent) : QObject(parent), m_appearance(appearance)
{
    connect(&m_desktopMotion, &DesktopMotion::changed, this, &Preferences::changed);
    if (m_appearance != nullptr)
        connect(m_appearance, &Appearance::changed, this, &Preferences::changed);
}

Appearance::Mode Preferences::appearance() const
{
    return m_appearance != nullptr ? m_appearance->mode()
                                   : Appearance::modeOf(QSettings().value(QStringLiteral("appearance")).toString());
}

void Preferences::setAppearance(Appearance::Mode mode)
{
    QSettings().setValue(QStringLiteral("appearance"), Appearance::nameOf(mode));
    if (m_appearance != nullptr)
        m_appearance->setMode(mode);
    emit changed();
}

void Preferences::setMotion(Motion::Wish wish)
{
    Motion::setWish(wish);
    emit changed();
}

bool Preferences::reopens() const
{
    return QSettings().value(QLatin1String(kReopensKey), true).toBool();
}

void Preferences::setReopens(bool reopens)
{
    QSettings().setValue(QLatin1String(kReopensKey), reopens);
    emit changed();
}

} // namespace sunder

#include "moc_preferences.cpp"
