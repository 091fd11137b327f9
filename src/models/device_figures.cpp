#include "models/device_figures.h"

#include "analysis/device_figure.h"
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
    for (const DeviceFigure& figure : deviceFigures().subspan(1)) // partition methods use the memory
        if (std::ranges::any_of(devices, [&](const Device& device) { return figureOf(device, figure).has_value(); }))
            names << tr(figure.name);
    if (names.isEmpty())
        return {};
    QString listed = names.takeLast();
    if (!names.isEmpty())
        listed = tr("%1 and %2").arg(names.join(QStringLiteral(", ")), listed);
    const QString unused = tr("Not used by this method: %1 of the devices.").arg(listed);
    return usesOwnBandwidth ? tr("%1 It uses the latencies and bandwidth above.").arg(unused) : unused;
}

} // namespace sunder
