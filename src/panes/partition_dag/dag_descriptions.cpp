// Descriptions of a DagContent for tooltips and assistive technology.
#include "panes/partition_dag/dag_content.h"

#include "analysis/cut/cut_text.h"
#include "document/text.h"
#include "text/amounts.h"

#include <QObject>

#include <algorithm>

namespace sunder {
QString describe(const DagContent& content, const DagBox& box)
{
    const DagLane& lane = content.lanes[box.lane];
    const QString ops = countText(box.sizes.ops, "op");
    const bool isCounted = content.rule == MemoryRule::keepsAll;
    QStringList lines{lane.name.isEmpty() ? QObject::tr("%1: %2").arg(box.look.name, ops)
                                          : QObject::tr("%1 on %2: %3").arg(box.look.name, lane.name, ops)};
    const QString activations = bytesText(box.sizes.activationPeakBytes);
    const QString parameters = QObject::tr("Parameters %1").arg(bytesText(box.sizes.parameterBytes));
    lines << (box.sizes.duplicatedBytes == 0
                  ? parameters
                  : QObject::tr("%1, %2 of them duplicated in other parts").arg(parameters, bytesText(box.sizes.duplicatedBytes)))
          << (isCounted ? QObject::tr("Activations %1 (never freed)").arg(activations)
                        : QObject::tr("Activations %1 (peak at %2)").arg(activations, box.peakAt))
          << (isCounted ? QObject::tr("Inputs %1 (counted once per consumer)") : QObject::tr("Inputs %1"))
                 .arg(bytesText(box.sizes.inputBytes));
    if (!box.costs.isEmpty())
        lines << QObject::tr("Costs %1").arg(box.costs);
    if (box.elsewhere > 0)
        lines << QObject::tr("Other parts on this device %1").arg(bytesText(box.elsewhere));
    if (box.overflow > 0)
        lines << QObject::tr("Over capacity by %1").arg(bytesText(box.overflow));
    else if (box.capacity)
        lines << QObject::tr("Free %1").arg(bytesText(*box.capacity - std::min(*box.capacity, box.onDevice())));
    if (box.hasUnknown)
        lines << QObject::tr("Some sizes are unknown");
    if (box.torchCount && !isCounted)
        lines << text(describeTorchCount(*box.torchCount));
    return lines.join(QLatin1Char('\n'));
}

QString describe(const DagContent& content, const DagCutEdge& cutEdge)
{
    const QString what =
        QObject::tr("%1 → %2: %3").arg(content.boxes[cutEdge.from].look.name, content.boxes[cutEdge.to].look.name, cutEdge.label);
    return cutEdge.isBackward ? QObject::tr("%1, backward edge").arg(what) : what;
}

QString describe(const DagContent& content, const DagHandle& handle)
{
    return QObject::tr("%1 in %2: %3").arg(handle.name, content.boxes[handle.box].look.name, handle.about);
}

QString describe(const DagContent& content, const DagShared& value)
{
    QStringList parts;
    for (const std::size_t box : value.to)
        parts << content.boxes[box].look.name;
    const QString what = value.size.isEmpty() ? value.name : QObject::tr("%1, %2").arg(value.name, value.size);
    const QString maker = value.from < 0
        ? QObject::tr("model input")
        : QObject::tr("produced in %1").arg(content.boxes[static_cast<std::size_t>(value.from)].look.name);
    return QObject::tr("%1: %2, used by %3: %4")
        .arg(what, maker, countText(parts.size(), "part"), parts.join(QStringLiteral(", ")));
}

QString signedBytes(std::int64_t change)
{
    const QString size = bytesText(static_cast<std::uint64_t>(change < 0 ? -change : change));
    return change < 0 ? QStringLiteral("−") + size : change > 0 ? QStringLiteral("+") + size : QStringLiteral("±0 B");
}

} // namespace sunder
