#include "panes/partition_dag/dag_chips.h"

#include "canvas/label_painter.h"
#include "document/text.h"
#include "text/amounts.h"

#include <QObject>

#include <algorithm>
#include <cmath>

namespace sunder {
namespace {

constexpr double kWidestChip = 80;
constexpr double kChipInset = 12; ///< padding of the text, left and right together
constexpr double kChipGap = 4;

double widthOf(const QString& name)
{
    return std::ceil(std::min(kWidestChip, LabelPainter::width(name, pictureFonts().mono, 1) + kChipInset));
}

double widthOfRest(std::size_t rest)
{
    return std::ceil(LabelPainter::width(QStringLiteral("+%1").arg(rest), pictureFonts().detail, 1) + kChipInset);
}

/// Returns the handles of one edge of a box; they are contiguous.
std::span<const DagHandle> handlesAt(const DagContent& content, std::size_t box, bool leaves)
{
    const auto isBefore = [](const DagHandle& handle, std::pair<std::size_t, bool> edge) {
        return std::pair(handle.box, handle.leaves) < edge;
    };
    const auto isBehind = [](std::pair<std::size_t, bool> edge, const DagHandle& handle) {
        return edge < std::pair(handle.box, handle.leaves);
    };
    const auto begin = std::lower_bound(content.handles.begin(), content.handles.end(), std::pair(box, leaves), isBefore);
    return {begin, std::upper_bound(begin, content.handles.end(), std::pair(box, leaves), isBehind)};
}

} // namespace

QString textOf(const DagContent& content, const DagChip& chip)
{
    if (chip.handle >= 0)
        return content.handles[static_cast<std::size_t>(chip.handle)].name;
    if (chip.shared < 0)
        return QStringLiteral("+%1").arg(chip.rest);
    const DagShared& value = content.shared[static_cast<std::size_t>(chip.shared)];
    if (!chip.leaves)
        return value.size.isEmpty() ? value.name : QStringLiteral("%1 %2").arg(value.name, value.size);
    return chip.isShort ? QStringLiteral("%1 ↗ %2").arg(value.name, QString::number(value.to.size()))
                        : QObject::tr("%1 · used by %2").arg(value.name, countText(value.to.size(), "part"));
}

std::vector<DagChip> chipsOf(const DagContent& content, std::size_t box, bool leaves, const DagChipRow& row)
{
    const std::span<const DagHandle> handles = handlesAt(content, box, leaves);
    const std::size_t all = leaves ? content.boxes[box].leaving : content.boxes[box].entering;
    std::vector<const DagHandle*> shown;
    double taken = 0;
    for (const DagHandle& handle : handles) {
        const double width = (widthOf(handle.name) + kChipGap) * row.scale;
        const bool isLast = shown.size() + 1 == all;
        if (row.left + taken + width + (isLast ? 0 : widthOfRest(all) * row.scale) > row.right)
            break;
        taken += width;
        shown.push_back(&handle);
    }
    std::sort(shown.begin(), shown.end(), [](const DagHandle* a, const DagHandle* b) { return a->place < b->place; });
    std::vector<DagChip> chips;
    double x = row.left;
    const auto add = [&](DagChip chip, double width) {
        const double height = DagChip::kHeight * row.scale;
        chip.rect = QRectF(x, row.y - height / 2, width * row.scale, height);
        chips.push_back(chip);
        x += (width + kChipGap) * row.scale;
    };
    for (const DagHandle* handle : shown)
        add({.box = box, .leaves = leaves, .handle = static_cast<int>(handle - content.handles.data())}, widthOf(handle->name));
    if (all > shown.size())
        add({.box = box, .leaves = leaves, .rest = all - shown.size()}, widthOfRest(all - shown.size()));
    return chips;
}

QString describe(const DagContent& content, const DagChip& chip)
{
    if (chip.handle >= 0)
        return describe(content, content.handles[static_cast<std::size_t>(chip.handle)]);
    if (chip.shared >= 0)
        return describe(content, content.shared[static_cast<std::size_t>(chip.shared)]);
    const QString& part = content.boxes[chip.box].look.name;
    if (chip.isBeside)
        return QObject::tr("%1 of %2 that many parts use").arg(countText(chip.rest, "more value"), part);
    const QString ops = countText(chip.rest, "more op");
    return chip.leaves ? QObject::tr("%1 of %2 that other parts use").arg(ops, part)
                       : QObject::tr("%1 of %2 with inputs from other parts").arg(ops, part);
}

} // namespace sunder
