// Chips to the right of boxes, for values with many consumers.
#include "panes/partition_dag/dag_chips.h"

#include "canvas/label_painter.h"

#include <algorithm>
#include <cmath>

namespace sunder {
namespace {

constexpr double kWidestSharedChip = 150;
constexpr double kSharedInset = 12; ///< padding of the text, left and right together
constexpr double kSharedGap = 3;
constexpr std::size_t kMaxTried = 32; ///< chips per box
constexpr double kPitch = DagChip::kHeight + kSharedGap;

double widthOfChip(const DagContent& content, const DagChip& chip)
{
    return std::ceil(
        std::min(kWidestSharedChip, LabelPainter::width(textOf(content, chip), pictureFonts().mono, 1) + kSharedInset));
}

std::size_t rowsIn(double height)
{
    return static_cast<std::size_t>(std::max(1.0, std::floor((height + kSharedGap) / kPitch)));
}

/// Returns the chips of a box's shared inputs, then of its shared outputs.
std::vector<DagChip> allOf(const DagContent& content, std::size_t box, bool isShort)
{
    std::vector<DagChip> chips;
    for (const bool makes : {false, true})
        for (std::size_t i = 0; i < content.shared.size(); ++i) {
            const DagShared& value = content.shared[i];
            if (makes ? value.from == static_cast<int>(box) : std::ranges::binary_search(value.to, box))
                chips.push_back(
                    {.box = box, .leaves = makes, .isBeside = true, .isShort = isShort && makes, .shared = static_cast<int>(i)});
        }
    return chips;
}

/// Places the chips in columns; returns the total width.
double place(const DagContent& content, std::span<DagChip> chips, QPointF at, double height)
{
    const std::size_t rows = rowsIn(height);
    double x = at.x();
    for (std::size_t begin = 0; begin < chips.size(); begin += rows) {
        const std::span<DagChip> column = chips.subspan(begin, std::min(rows, chips.size() - begin));
        double width = 0;
        double y = at.y() + (height - static_cast<double>(std::min(rows, chips.size())) * kPitch + kSharedGap) / 2;
        for (DagChip& chip : column) {
            chip.rect = QRectF(x, y, widthOfChip(content, chip), DagChip::kHeight);
            width = std::max(width, chip.rect.width());
            y += kPitch;
        }
        x += width + kSharedGap;
    }
    return chips.empty() ? 0 : x - kSharedGap - at.x();
}

} // namespace

double widthOfSharedChips(const DagContent& content, std::size_t box, double height)
{
    std::vector<DagChip> chips = allOf(content, box, false);
    return place(content, chips, {}, height);
}

std::vector<DagChip> sharedChipsOf(const DagContent& content, std::size_t box, const QRectF& room)
{
    std::vector<DagChip> chips;
    for (const bool isShort : {false, true}) {
        chips = allOf(content, box, isShort);
        if (chips.empty() || place(content, chips, room.topLeft(), room.height()) <= room.width())
            return chips;
    }
    const std::size_t all = chips.size();
    for (std::size_t shown = std::min(all - 1, kMaxTried);; --shown) {
        chips.resize(shown);
        chips.push_back({.box = box, .isBeside = true, .rest = all - shown});
        if (place(content, chips, room.topLeft(), room.height()) <= room.width() || shown == 0)
            return chips;
    }
}

} // namespace sunder
