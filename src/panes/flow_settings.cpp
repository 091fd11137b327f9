#include "panes/flow_settings.h"

#include <QSettings>

namespace sunder {
namespace {
constexpr const char* kOneColumnKey = "oneColumn";
constexpr const char* kAssertionsKey = "assertions";
constexpr const char* kDirectionKey = "flowsToTheRight";
} // namespace

bool isOneColumnWanted()
{
    return QSettings().value(QLatin1String(kOneColumnKey)).toBool();
}

void wantOneColumn(bool isWanted)
{
    QSettings().setValue(QLatin1String(kOneColumnKey), isWanted);
}

bool areAssertionsWanted()
{
    return QSettings().value(QLatin1String(kAssertionsKey)).toBool();
}

void wantAssertions(bool areWanted)
{
    QSettings().setValue(QLatin1String(kAssertionsKey), areWanted);
}

FlowDirection wantedDirection()
{
    return QSettings().value(QLatin1String(kDirectionKey)).toBool() ? FlowDirection::right : FlowDirection::down;
}

void wantDirection(FlowDirection direction)
{
    QSettings().setValue(QLatin1String(kDirectionKey), direction == FlowDirection::right);
}

} // namespace sunder
