#include "canvas/canvas_tooltip.h"

#include "canvas/item_description.h"
#include "canvas/item_hits.h"

#include <QCoreApplication>
#include <QStringList>

#include <algorithm>

namespace sunder {
namespace {

/// For a chip of several edges, describes the first ones.
QString wordsOf(const CanvasSight& sight, const std::vector<std::uint32_t>& edges, const EdgeWords& edgeWords)
{
    constexpr std::size_t kMax = 3;
    QStringList words;
    for (const std::uint32_t edge : std::span(edges).first(std::min(edges.size(), kMax)))
        words << (edgeWords ? edgeWords(sight.scene.picture(), sight.scene.picture().edges[edge])
                            : edgeTooltip(sight.scene, edge));
    if (edges.size() > kMax)
        words << QCoreApplication::translate("CanvasToolTip", "and %1 more").arg(edges.size() - kMax);
    return words.join(QStringLiteral("\n\n"));
}

} // namespace

CanvasToolTip toolTipAt(const CanvasSight& sight, QPointF at, const EdgeArrow* arrow, const EdgeWords& edgeWords)
{
    if (arrow != nullptr)
        return {QCoreApplication::translate("CanvasToolTip", "%1: click for the nearest, J for the next").arg(textOf(*arrow)),
                arrow->rect.toAlignedRect()};
    const ItemId item = sight.itemAt(at);
    const std::vector<std::uint32_t> edges = edgesUnder(sight, at);
    if (!edges.empty())
        return {wordsOf(sight, edges, edgeWords), {}};
    if (item && sight.scene.item(item).kind != ItemKind::frame)
        return {tooltipOf(sight.scene, item), sight.viewRectOf(item).toAlignedRect()};
    return {item ? tooltipOf(sight.scene, item) : QString(), {}};
}

} // namespace sunder
