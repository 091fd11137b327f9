#include "canvas/motion.h"

#include <QSettings>

namespace sunder {
namespace {

constexpr const char* kMotionKey = "motion";

bool& systemReduced()
{
    static bool isReduced = false;
    return isReduced;
}

} // namespace

bool Motion::isReduced()
{
    const Wish wanted = wish();
    return wanted == Wish::reduced || (wanted == Wish::system && systemReduced());
}

Motion::Wish Motion::wish()
{
    const QString name = QSettings().value(QLatin1String(kMotionKey)).toString();
    return name == QLatin1String("full") ? Wish::full : name == QLatin1String("reduced") ? Wish::reduced : Wish::system;
}

void Motion::setSystemReduced(bool isReduced)
{
    systemReduced() = isReduced;
}

} // namespace sunder
