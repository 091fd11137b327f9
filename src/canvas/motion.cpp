#include "canvas/motion.h"

#include <QSettings>

#include <algorithm>
#include <array>

namespace sunder {
namespace {

constexpr const char* kMotionKey = "motion";
constexpr std::array kWishNames{"system", "full", "reduced"}; ///< values in the settings, by Wish

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
    const auto* const at = std::ranges::find(kWishNames, name, [](const char* one) { return QLatin1String(one); });
    return at == kWishNames.end() ? Wish::system : static_cast<Wish>(at - kWishNames.begin());
}

void Motion::setWish(Wish wish)
{
    QSettings().setValue(QLatin1String(kMotionKey), QLatin1String(kWishNames.at(static_cast<std::size_t>(wish))));
}

void Motion::setSystemReduced(bool isReduced)
{
    systemReduced() = isReduced;
}

} // namespace sunder
