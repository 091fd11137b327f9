#include "canvas/item_description.h"

#include "canvas/item_hits.h"
#include "canvas/label_painter.h"
#include "layout/picture/isolation.h"
#include "support/format.h"

#include <QCoreApplication>
#include <QStringList>
#include <algorithm>

namespace sunder {
namespace {

/// Returns e.g. "stage0", or for several tags "stage0 73% (30 ops), stage1 27% (11 ops)".
QString tagWords(const CanvasScene& scene, ItemId id)
{
    constexpr std::size_t kMax = 6;
    const std::vector<TagLook>& tags = scene.style().tags;
    const std::span<const StripPart> strip = scene.looks().strip(id);
    if (tags.empty())
        return {};
    QStringList parts;
    for (const StripPart& part : strip.first(std::min(strip.size(), kMax))) {
        QString word = part.tag >= 0 ? tags[static_cast<std::size_t>(part.tag)].name : QStringLiteral("untagged");
        if (strip.size() > 1)
            word += QStringLiteral(" %1%").arg(static_cast<int>(part.share * 100 + 0.5F));
        if (strip.size() > 1 || (part.ops > 1 && scene.item(id).kind == ItemKind::node))
            word += QStringLiteral(" (%1)").arg(toQString(formatCount(part.ops, "op")));
        parts += word;
    }
    if (strip.size() > kMax)
        parts += QStringLiteral("%1 more").arg(strip.size() - kMax);
    return parts.join(QStringLiteral(", "));
}

QString sizeWords(const Item& item)
{
    QStringList words;
    if (item.kind != ItemKind::node && item.opCount > 0)
        words += toQString(formatCount(item.opCount, "op"));
    if (item.bytes > 0)
        words += toQString(formatBytes(item.bytes));
    return words.join(QStringLiteral(", "));
}

/// Returns the full path of a module, which its title may abbreviate; the title of other items.
QString pathOf(const Item& item)
{
    const bool isPath = item.kind != ItemKind::node && item.key.ends_with(item.title);
    return toQString(isPath ? item.key : item.title);
}

/// Returns the enclosing frame of an item.
QString placeOf(const CanvasScene& scene, const Item& item)
{
    return item.parent ? pathOf(scene.item(item.parent)) : QString();
}

QString nameOf(const Item& item)
{
    return toQString(item.kind == ItemKind::node && !item.subtitle.empty() ? item.subtitle : item.title);
}

/// Returns whether the item's tags allow a split; empty if nothing is tagged.
QString legalityWords(const CanvasScene& scene, ItemId id)
{
    const ItemLook look = scene.looks()[id];
    for (const PictureLooks::BackwardRoute& route : scene.looks().backward())
        if (route.from == id || route.to == id)
            return QStringLiteral("illegal: %1").arg(scene.style().backward[route.mark].title);
    if (look.backward)
        return QStringLiteral("illegal: contains a backward edge");
    if (look.marked)
        return QStringLiteral("blocks the split");
    if (look.noted)
        return QStringLiteral("has a note: see Problems");
    const std::span<const StripPart> strip = scene.looks().strip(id);
    const bool isTagged = !strip.empty() && std::ranges::all_of(strip, [](const StripPart& part) { return part.tag >= 0; });
    return isTagged && !scene.style().tags.empty() ? QStringLiteral("legal") : QString();
}

} // namespace

QString describeItem(const CanvasScene& scene, ItemId id, const CostWords& costs)
{
    const Item& item = scene.item(id);
    QStringList words{nameOf(item)};
    const QString second = toQString(item.kind == ItemKind::node ? item.title : item.subtitle);
    const QString tags = tagWords(scene, id);
    const QString sizes = sizeWords(item);
    for (const QString& word : {second, placeOf(scene, item)})
        if (!word.isEmpty() && word != words.front())
            words += word;
    if (item.kind == ItemKind::frame)
        words += QStringLiteral("open");
    if (!tags.isEmpty())
        words += QStringLiteral("tag ") + tags;
    if (item.kind == ItemKind::node && !item.detail.empty())
        words += toQString(item.detail);
    const ItemNeighbors neighbors = neighborsOf(*scene.sharedPicture(), id);
    words += toQString(formatCount(neighbors.inputs.size(), "input"));
    words += toQString(formatCount(neighbors.readers.size(), "user"));
    if (!sizes.isEmpty())
        words += sizes;
    if (item.outputBytes > 0)
        words += toQString(formatBytes(item.outputBytes)) + QStringLiteral(" out");
    if (const QString cost = costs ? costs(item.nodes) : QString(); !cost.isEmpty())
        words += cost;
    if (const QString legality = legalityWords(scene, id); !legality.isEmpty())
        words += legality;
    return words.join(QStringLiteral(", "));
}

QString tooltipOf(const CanvasScene& scene, ItemId id, const CostWords& costs)
{
    const Item& item = scene.item(id);
    QStringList lines;
    const auto line = [&lines](const QString& text) {
        if (!text.isEmpty())
            lines += text;
    };
    line(toQString(item.title));
    line(toQString(item.subtitle));
    line(item.kind == ItemKind::node ? toQString(item.detail) : QString());
    const QString path = pathOf(item);
    const bool showsPath = path != toQString(item.title);
    line(showsPath ? path : placeOf(scene, item).isEmpty() ? QString() : QStringLiteral("in ") + placeOf(scene, item));
    line(sizeWords(item));
    line(costs ? costs(item.nodes) : QString());
    const QString tags = tagWords(scene, id);
    line(tags.isEmpty() ? QString() : QStringLiteral("tag ") + tags);
    const ItemNeighbors neighbors = neighborsOf(*scene.sharedPicture(), id);
    line(toQString(formatCount(neighbors.inputs.size(), "input") + ", " + formatCount(neighbors.readers.size(), "user")));
    line(toQString(item.note));
    QStringList chips;
    for (const Chip* chip : neighbors.alsoRead)
        chips += toQString(chip->text);
    line(chips.isEmpty() ? QString() : QStringLiteral("also reads ") + chips.join(QStringLiteral(", ")));
    line(item.canOpen
             ? (item.kind == ItemKind::frame ? QStringLiteral("double-click closes") : QStringLiteral("double-click opens"))
             : QString());
    return folded(lines.join(QLatin1Char('\n')));
}

QString edgeTooltip(const CanvasScene& scene, std::uint32_t index)
{
    const PictureEdge& edge = scene.picture().edges[index];
    QString text = nameOf(scene.item(edge.from)) + QStringLiteral(" → ") + nameOf(scene.item(edge.to));
    text += QStringLiteral("\n") + toQString(formatCount(edge.values.size(), "value"));
    if (edge.bytes > 0)
        text += QStringLiteral(" · ") + toQString(formatBytes(edge.bytes));
    return folded(text);
}

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

CanvasToolTip toolTipAt(const CanvasSight& sight, QPointF at, const EdgeArrow* arrow, const EdgeWords& edgeWords,
                        const CostWords& costs)
{
    if (arrow != nullptr)
        return {QCoreApplication::translate("CanvasToolTip", "%1: click for the nearest, J for the next").arg(textOf(*arrow)),
                arrow->rect.toAlignedRect()};
    const ItemId item = sight.itemAt(at);
    const std::vector<std::uint32_t> edges = edgesUnder(sight, at);
    if (!edges.empty())
        return {wordsOf(sight, edges, edgeWords), {}};
    if (item && sight.scene.item(item).kind != ItemKind::frame)
        return {tooltipOf(sight.scene, item, costs), sight.viewRectOf(item).toAlignedRect()};
    return {item ? tooltipOf(sight.scene, item, costs) : QString(), {}};
}

} // namespace sunder
