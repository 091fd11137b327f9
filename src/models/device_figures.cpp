#include "models/device_figures.h"

#include "text/shown_text.h"

#include <QStringList>

#include <algorithm>

namespace sunder {

QString unusedFigureNote()
{
    return tr("For reference only: no partition method uses it.");
}

QString unusedFigures(std::span<const Device> devices, bool usesOwnBandwidth)
{
    QStringList names;
    const auto add = [&](const QString& name, auto figure) {
        if (std::ranges::any_of(devices, [figure](const Device& device) { return (device.*figure).has_value(); }))
            names << name;
    };
    add(tr("speed"), &Device::speed);
    add(tr("bandwidth"), &Device::bandwidthBytesPerSecond);
    add(tr("memory bandwidth"), &Device::memoryBytesPerSecond);
    add(tr("compute"), &Device::flopsPerSecond);
    if (names.isEmpty())
        return {};
    QString listed = names.takeLast();
    if (!names.isEmpty())
        listed = tr("%1 and %2").arg(names.join(QStringLiteral(", ")), listed);
    const QString unused = tr("Not used by this method: %1 of the devices.").arg(listed);
    return usesOwnBandwidth ? tr("%1 It uses the latencies and bandwidth above.").arg(unused) : unused;
}

} // namespace sunder
