#include "app/desktop_motion.h"

#include "canvas/motion.h"

#include <QVariant>

#include <algorithm>

namespace sunder {
namespace {

struct MotionKey {
    const char* group;
    const char* key;
    bool (*saysReduced)(const QVariant& value);
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
                         [this, way, key](const QVariant& value) { take(way, key.saysReduced(value)); });
    }
}

void DesktopMotion::take(std::size_t way, bool isReduced)
{
    m_reduced[way] = isReduced;
    Motion::setSystemReduced(std::ranges::find(m_reduced, true) != m_reduced.end());
    emit changed();
}

} // namespace sunder

#include "moc_desktop_motion.cpp"
