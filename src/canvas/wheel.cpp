#include "canvas/wheel.h"

#include <QSettings>

namespace sunder {
namespace {
constexpr const char* kWheelKey = "wheelMoves";
} // namespace

bool Wheel::moves()
{
    return QSettings().value(QLatin1String(kWheelKey)).toBool();
}

void Wheel::setMoves(bool moves)
{
    QSettings().setValue(QLatin1String(kWheelKey), moves);
}

} // namespace sunder
