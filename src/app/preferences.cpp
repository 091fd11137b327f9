#include "app/preferences.h"

#include "canvas/motion.h"

#include <QSettings>
#include <QVariant>

#include <algorithm>

namespace sunder {
namespace {
constexpr const char* kReopensKey = "reopens";
constexpr const char* kTorchPythonKey = "torchPython";
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

QString Preferences::torchPython()
{
    return QSettings().value(QLatin1String(kTorchPythonKey)).toString();
}

void Preferences::setTorchPython(const QString& path)
{
    QSettings().setValue(QLatin1String(kTorchPythonKey), path);
}

namespace {

struct MotionKey {
    const char* group;
    const char* key;
    bool (*isReducedBy)(const QVariant& value);
};

constexpr MotionKey kMotionKeys[] = {
    {"org.freedesktop.appearance", "reduced-motion", [](const QVariant& value) { return value.toUInt() == 1; }},
    {"org.gnome.desktop.interface", "enable-animations", [](const QVariant& value) { return !value.toBool(); }},
    {"org.kde.kdeglobals.KDE", "AnimationDurationFactor",
     [](const QVariant& value) {
         bool isNumber = false;
         return value.toDouble(&isNumber) <= 0 && isNumber;
     }},
};

} // namespace

DesktopMotion::DesktopMotion(QObject* parent) : QObject(parent), m_reduced(std::size(kMotionKeys))
{
    for (std::size_t way = 0; way < m_reduced.size(); ++way) {
        const MotionKey& key = kMotionKeys[way];
        m_desktop.follow(QLatin1String(key.group), QLatin1String(key.key),
                         [this, way, key](const QVariant& value) { take(way, key.isReducedBy(value)); });
    }
}

void DesktopMotion::take(std::size_t way, bool isReduced)
{
    m_reduced[way] = isReduced;
    Motion::setSystemReduced(std::ranges::find(m_reduced, true) != m_reduced.end());
    emit changed();
}

} // namespace sunder

#include "moc_preferences.cpp"
