// What a DagContent says in words, for tooltips and assistive technology.
#include "panes/partition_dag/dag_content.h"

#include "document/text.h"
#include "text/amounts.h"

#include <QObject>

namespace sunder {
QString describe(const DagContent& content, const DagBox& box)
{
    const DagLane& lane = content.lanes[box.lane];
    QStringList parts{lane.name.isEmpty() ? box.look.name : QObject::tr("%1 on %2").arg(box.look.name, lane.name),
                      countText(box.sizes.ops, "op"), QObject::tr("%1 parameters").arg(bytesText(box.sizes.parameterBytes))};
    if (box.sizes.duplicatedBytes > 0)
        parts << QObject::tr("%1 of them stored in other parts too").arg(bytesText(box.sizes.duplicatedBytes));
    const bool isKept = content.rule == MemoryRule::keepsAll;
    parts << (isKept ? QObject::tr("%1 values, of which none is freed") : QObject::tr("%1 values at the most"))
                 .arg(bytesText(box.sizes.activationPeakBytes))
          << QObject::tr("%1 taken from elsewhere").arg(bytesText(box.sizes.inputBytes));
    if (box.elsewhere > 0)
        parts << QObject::tr("%1 of other parts on the device").arg(bytesText(box.elsewhere));
    if (box.overflow > 0)
        parts << QObject::tr("the device overflows by %1").arg(bytesText(box.overflow));
    else if (box.capacity)
        parts << QObject::tr("%1 free").arg(bytesText(*box.capacity - box.onDevice()));
    if (box.hasUnknown)
        parts << QObject::tr("some sizes are not known");
    if (box.account && !isKept)
        parts << QObject::tr("the partitioner reckons %1, as it frees nothing").arg(bytesText(*box.account));
    else if (box.account && *box.account != box.sizes.usedBytes())
        parts << QObject::tr("the partitioner's own figure is %1: it counts what is taken from elsewhere once for each reader")
                     .arg(bytesText(*box.account));
    return parts.join(QStringLiteral(", "));
}

QString describe(const DagContent& content, const DagRibbon& ribbon)
{
    const QString what =
        QObject::tr("%1 → %2: %3").arg(content.boxes[ribbon.from].look.name, content.boxes[ribbon.to].look.name, ribbon.label);
    return ribbon.isBackward ? QObject::tr("%1, against the order of execution").arg(what) : what;
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
        ? QObject::tr("input of the model")
        : QObject::tr("made in %1").arg(content.boxes[static_cast<std::size_t>(value.from)].look.name);
    return QObject::tr("%1: %2, read by %3: %4")
        .arg(what, maker, countText(parts.size(), "part"), parts.join(QStringLiteral(", ")));
}

QString signedBytes(std::int64_t change)
{
    const QString size = bytesText(static_cast<std::uint64_t>(change < 0 ? -change : change));
    return change < 0 ? QStringLiteral("−") + size : change > 0 ? QStringLiteral("+") + size : QStringLiteral("±0 B");
}

} // namespace sunder
