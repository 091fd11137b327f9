#include "canvas/item_painter.h"

#include "canvas/item_shapes.h"

#include <algorithm>

namespace sunder {
namespace {

constexpr double kRadius = 5;
constexpr double kStripe = 5;
constexpr double kStrip = 5;
constexpr double kPadLeft = 10;
constexpr double kPadRight = 8;
constexpr double kTriangle = 6;
constexpr double kMinDotted = 2; ///< marks below this height in view pixels have no stub
constexpr double kMarkStub = 2.5;  ///< length of a stub at a mark, view pixels
constexpr double kTitleContrast = 9; ///< of titles on colors of costs, as far as possible
constexpr double kBand = 20; ///< title band of a frame

bool isStack(const Item& item)
{
    return item.kind == ItemKind::module || item.kind == ItemKind::run;
}

} // namespace

Detail detailOf(double viewHeight, double zoom)
{
    if (viewHeight < 7)
        return Detail::mark;
    if (viewHeight < kMinTextPixels + 3.5)
        return Detail::box;
    if (zoom < kReadableZoom)
        return Detail::label;
    return Detail::full;
}

bool hasReadableFrameTitles(double zoom)
{
    return kBand * zoom >= kMinTextPixels + 1.5;
}

QColor markColor(const PictureStyle& style, std::int32_t tag)
{
    const TagLook* look = lookOfTag(style.tags, tag);
    return look != nullptr ? look->style.color : mixed(style.theme->line, style.theme->edge, 0.45);
}

QColor markColor(const PictureStyle& style, const ItemLook& look)
{
    if (!style.costs)
        return markColor(style, look.tag);
    const bool isOnScale = look.cost.isKnown() && (look.cost.value > 0 || style.costs->figures->hasNegative);
    return isOnScale ? costFill(*style.costs, look.cost, *style.theme) : markColor(style, PictureStyle::kUntagged);
}

const TagLook* ItemPainter::tagLook(std::int32_t tag) const
{
    return lookOfTag(m_context.style.tags, tag);
}

ItemPainter::Colors ItemPainter::colorsOf(const Item& item, const ItemLook& look) const
{
    const Theme& theme = m_context.theme();
    if (const std::optional<CostColors>& costs = m_context.style.costs) {
        const QColor fill = costFill(*costs, look.cost, theme);
        return {fill, mixed(fill, theme.edge, isStack(item) || isCostMissing(look.cost) ? 0.6 : 0.35),
                readable(theme.text, fill, kTitleContrast), readable(theme.dim, fill)};
    }
    const TagLook* tag = tagLook(look.tag);
    const QColor& title = tag != nullptr && tag->style.title.isValid() ? tag->style.title : theme.text;
    if (tag == nullptr || isStack(item))
        return {theme.node, isStack(item) ? mixed(theme.line, theme.edge, 0.35) : theme.line, title, theme.dim};
    return {tag->style.tint, mixed(theme.line, tag->style.color, 0.22), title, tag->style.dim};
}

QColor ItemPainter::frameFill(const Item& frame) const
{
    return frameGround(m_context.theme(), frame.depth);
}

void ItemPainter::paintFrame(ItemId id)
{
    const Item& item = m_context.picture.items[id.index()];
    const ItemLook look = m_context.looks[id];
    const Theme& theme = m_context.theme();
    const QRectF at = m_context.viewRect(item.rect);
    const double zoom = m_context.zoom();
    const QColor fill = frameFill(item);
    const bool tiny = at.height() < 14 || at.width() < 14;
    m_painter.setRenderHint(QPainter::Antialiasing, !tiny);
    m_painter.setPen(QPen(mixed(theme.line, theme.selection, theme.dark ? 0.12 : 0.16), 1));
    m_painter.setBrush(fill);
    const double radius = std::min(6 * zoom, 8.0);
    if (tiny)
        m_painter.drawRect(at);
    else
        m_painter.drawRoundedRect(at, radius, radius);
    if (m_context.style.costs && !tiny && !look.cost.isEmpty()) { // the color of the sum, at the left of the title
        m_painter.setPen(Qt::NoPen);
        m_painter.setBrush(costFill(*m_context.style.costs, look.cost, theme));
        const double height = std::min(kBand * zoom, at.height());
        m_painter.drawPath(leftEnd({at.left(), at.top(), at.width(), height}, radius, std::max(kStripe * zoom, 2.0)));
    }
    if (look.selected)
        paintRings(look, at, radius);
}

void ItemPainter::paintFrameTitle(ItemId id)
{
    const Item& item = m_context.picture.items[id.index()];
    const ItemLook look = m_context.looks[id];
    const Theme& theme = m_context.theme();
    const QRectF at = m_context.viewRect(item.rect);
    const double zoom = m_context.zoom();
    const QColor fill = frameFill(item);
    const PictureFonts& fonts = pictureFonts();
    const double least = kMinTextPixels / logicalPixelSize(fonts.frame);
    const double scale = std::max(zoom, least);
    if (!m_context.vector && !hasReadableFrameTitles(zoom))
        return;
    const double baseline = at.top() + (scale > zoom ? kBand * zoom * 0.5 + 4 : 15 * zoom);
    double x = at.left() + 9 * zoom;
    const double right = at.right() - 10 * zoom;
    // Edges that enter here pass behind the title.
    const double titleWidth = LabelPainter::width(toQString(item.title), fonts.frame, scale);
    const QRectF plate(QPointF(x - 2 * scale, baseline - 12 * scale),
                       QPointF(std::min(x + 13 * scale + titleWidth, right), baseline + 4 * scale));
    m_painter.setPen(Qt::NoPen);
    m_painter.setBrush(fill);
    m_painter.drawRect(plate);
    m_painter.setBrush(theme.text);
    m_painter.drawPath(triangle({x + 3 * scale, baseline - 4 * scale}, kTriangle * scale, true));
    x += 11 * scale;
    const bool full = m_context.vector || detailOf(item.rect.height * zoom, zoom) == Detail::full;
    double detailWidth = 0;
    const std::optional<CostColors>& costs = m_context.style.costs;
    const QString detail = costs && !look.cost.isEmpty() ? costLabel(*costs, look.cost) : toQString(item.detail);
    if (full)
        detailWidth = m_labels.paintRight(detail, fonts.detail, zoom, {right, baseline}, (right - x) * 0.5,
                                          readable(theme.dim, fill));
    x += m_labels.paint(toQString(item.title), fonts.frame, scale, {x, baseline}, right - x - detailWidth, theme.text,
                        Qt::ElideMiddle);
    if (full)
        m_labels.paint(toQString(item.subtitle), fonts.mono, zoom, {x + 8 * zoom, baseline}, right - detailWidth - x - 16 * zoom,
                       readable(theme.dim, fill));
}

void ItemPainter::paintClosed(ItemId id)
{
    const Item& item = m_context.picture.items[id.index()];
    const ItemLook look = m_context.looks[id];
    const double height = item.rect.height * m_context.zoom();
    const Detail detail = m_context.vector ? Detail::full : detailOf(height, m_context.zoom());
    if (detail == Detail::mark)
        paintMark(id);
    if (detail != Detail::full)
        noteDots(item, detail == Detail::mark);
    if (detail == Detail::mark)
        return;
    const QRectF at = m_context.viewRect(item.rect);
    if (detail == Detail::box)
        paintSmallBox(item, look, id, at);
    else
        paintBox(item, look, id, at);
    if (detail == Detail::full)
        paintChips(item);
}

void ItemPainter::paintMark(ItemId id)
{
    const ItemLook look = m_context.looks[id];
    const Theme& theme = m_context.theme();
    const QRectF at = m_context.camera.toView(m_context.picture.items[id.index()].rect);
    const QRectF mark(at.topLeft(), QSizeF(std::max(1.0, at.width()), std::max(1.0, at.height())));
    m_painter.setRenderHint(QPainter::Antialiasing, false);
    const bool ringed = look.isRinged();
    if (ringed)
        m_painter.fillRect(mark.adjusted(-1, -1, 1, 1), theme.selection);
    if (look.marked || look.backward) {
        m_painter.fillRect(mark, theme.error);
        return;
    }
    if (look.tag != ItemLook::kMixed || m_context.style.costs) {
        const bool isPlain = !m_context.style.costs && !tagLook(look.tag);
        m_painter.fillRect(mark, ringed && isPlain ? theme.selection : markColor(m_context.style, look));
        return;
    }
    double x = mark.left();
    for (const StripPart& part : m_context.looks.strip(id)) {
        m_painter.fillRect(QRectF(x, mark.top(), mark.width() * part.share, mark.height()), markColor(m_context.style, part.tag));
        x += mark.width() * part.share;
    }
}

void ItemPainter::paintSmallBox(const Item& item, const ItemLook& look, ItemId id, const QRectF& at)
{
    const Theme& theme = m_context.theme();
    const Colors colors = colorsOf(item, look);
    const double line = 1 / m_context.pixelRatio;
    m_painter.setRenderHint(QPainter::Antialiasing, false);
    const bool ringed = look.isRinged();
    if (ringed)
        m_painter.fillRect(at.adjusted(-1, -1, 1, 1), theme.selection);
    m_painter.fillRect(at, look.marked || look.backward ? theme.error : (ringed ? theme.selection : colors.border));
    m_painter.fillRect(at.adjusted(line, line, -line, -line), colors.fill);
    if (m_context.style.costs)
        return;
    if (look.tag == ItemLook::kMixed || (isStack(item) && tagLook(look.tag) != nullptr)) {
        double x = at.left();
        for (const StripPart& part : m_context.looks.strip(id)) {
            m_painter.fillRect(QRectF(x, at.bottom() - 3, at.width() * part.share, 3), markColor(m_context.style, part.tag));
            x += at.width() * part.share;
        }
    } else if (const TagLook* tag = tagLook(look.tag)) {
        m_painter.fillRect(QRectF(at.left(), at.top(), std::max(2.0, kStripe * m_context.zoom()), at.height()), tag->style.color);
    }
}

void ItemPainter::paintBox(const Item& item, const ItemLook& look, ItemId id, const QRectF& at)
{
    const Theme& theme = m_context.theme();
    const double zoom = m_context.zoom();
    const double radius = kRadius * zoom;
    const Colors colors = colorsOf(item, look);
    m_painter.setRenderHint(QPainter::Antialiasing, true);
    if (isStack(item))
        paintStack(at, radius, colors);
    QPen border(colors.border, 1);
    if (look.marked) {
        border = QPen(mixed(colors.border, theme.error, 0.75), 1);
        border.setDashPattern({4, 3});
    } else if (isCostMissing(look.cost)) {
        border.setDashPattern({2, 2});
    }
    m_painter.setPen(border);
    m_painter.setBrush(colors.fill);
    m_painter.drawRoundedRect(at, radius, radius);
    if (!m_context.style.costs) // otherwise the fill is the only color
        paintTags(item, look, id, at, radius);
    paintRings(look, at, radius);
    const Detail detail = m_context.vector ? Detail::full : detailOf(item.rect.height * zoom, zoom);
    paintTexts(item, look, at, detail, colors);
}

void ItemPainter::paintStack(const QRectF& at, double radius, const Colors& colors)
{
    const Theme& theme = m_context.theme();
    const double step = 3 * m_context.zoom();
    m_painter.setPen(QPen(theme.line, 1));
    m_painter.setBrush(mixed(theme.canvas, colors.border, theme.dark ? 0.35 : 0.3));
    m_painter.drawRoundedRect(at.translated(step, step), radius, radius);
}

void ItemPainter::paintTags(const Item& item, const ItemLook& look, ItemId id, const QRectF& at, double radius)
{
    if (isStack(item) || look.tag == ItemLook::kMixed)
        paintStrip(id, at, radius);
    else if (const TagLook* tag = tagLook(look.tag))
        paintStripe(at, radius, tag->style);
}

void ItemPainter::paintStripe(const QRectF& at, double radius, const TagStyle& style)
{
    m_painter.setPen(Qt::NoPen);
    m_painter.setBrush(tagBrush(style, m_context.theme(), m_painter));
    m_painter.drawPath(leftEnd(at, radius, std::max(kStripe * m_context.zoom(), 2.0)));
}

void ItemPainter::paintStrip(ItemId id, const QRectF& at, double radius)
{
    const std::span<const StripPart> parts = m_context.looks.strip(id);
    if (m_context.style.tags.empty() || parts.empty())
        return;
    const bool anyTagged = parts.size() > 1 || parts.front().tag >= 0;
    if (!anyTagged)
        return;
    const Theme& theme = m_context.theme();
    const double height = std::max(kStrip * m_context.zoom(), 2.0);
    const double least = std::min(4.0 * m_context.zoom(), at.width() / static_cast<double>(parts.size()));
    const double shared = at.width() - least * static_cast<double>(parts.size());
    double x = at.left();
    m_painter.setPen(Qt::NoPen);
    for (std::size_t i = 0; i < parts.size(); ++i) {
        const double width = least + shared * parts[i].share;
        const TagLook* tag = tagLook(parts[i].tag);
        m_painter.setBrush(tag != nullptr ? tagBrush(tag->style, theme, m_painter) : QBrush(theme.line));
        m_painter.drawPath(lowerPiece({x, at.bottom() - height, width, height}, radius, i == 0, i + 1 == parts.size()));
        x += width;
    }
}

void ItemPainter::paintRings(const ItemLook& look, const QRectF& at, double radius)
{
    const Theme& theme = m_context.theme();
    m_painter.setBrush(Qt::NoBrush);
    if (look.backward) {
        QPen pen(theme.error, 2);
        pen.setDashPattern({3, 2});
        m_painter.setPen(pen);
        m_painter.drawRoundedRect(at, radius, radius);
    }
    if (look.found || look.counterpart) {
        QPen pen(theme.selection, 1.6);
        if (look.counterpart && !look.found)
            pen.setDashPattern({1.5, 2});
        m_painter.setPen(pen);
        m_painter.drawRoundedRect(at.adjusted(-3.5, -3.5, 3.5, 3.5), radius + 3, radius + 3);
    }
    if (look.selected || look.partSelected) {
        QPen pen(theme.selection, look.selected ? 2 : 1.4);
        if (!look.selected)
            pen.setDashPattern({4, 2.5});
        m_painter.setPen(pen);
        m_painter.drawRoundedRect(at, radius, radius);
    }
}

double ItemPainter::paintCorner(const Item& item, const ItemLook& look, const Colors& colors, QPointF baseline, double scale,
                                double room, double noteRoom)
{
    const Theme& theme = m_context.theme();
    const std::optional<CostColors>& costs = m_context.style.costs;
    const PictureFonts& fonts = pictureFonts();
    double taken = 0;
    if (item.canOpen) {
        m_painter.setPen(Qt::NoPen);
        m_painter.setBrush(colors.dim);
        m_painter.drawPath(triangle(baseline + QPointF(-3 * scale, -4 * scale), kTriangle * scale, false));
        taken += 12 * scale;
    }
    if (look.marked || look.noted) {
        m_painter.setPen(Qt::NoPen);
        const QColor& mark = look.marked || look.backward ? theme.error : theme.warning;
        m_painter.setBrush(costs ? readable(mark, colors.fill, 3) : mark);
        m_painter.drawPath(diamond(baseline + QPointF(-taken - 4 * scale, -4 * scale), 4 * scale));
        taken += 13 * scale;
    }
    if (const TagLook* tag = tagLook(look.tag)) {
        const QColor color = costs ? colors.dim : isStack(item) ? readable(tag->style.color, theme.node) : tag->style.text;
        taken += m_labels.paintRight(tag->code, fonts.code, scale, baseline - QPointF(taken, 0), room - taken, color) + 6 * scale;
    }
    if (costs && !look.cost.isEmpty()) {
        const QString figure = costLabel(*costs, look.cost);
        if (const double width = LabelPainter::width(figure, fonts.detail, scale); width <= noteRoom - taken) {
            m_labels.paintRight(figure, fonts.detail, scale, baseline - QPointF(taken, 0), width + 1, colors.text);
            taken += width + 6 * scale;
        }
    }
    if (!item.note.empty() && noteRoom > taken) {
        const QColor color = readable(theme.selection, colors.fill);
        taken += m_labels.paintRight(toQString(item.note), fonts.detail, scale, baseline - QPointF(taken, 0), noteRoom - taken,
                                     color)
            + 6 * scale;
    }
    return taken;
}

void ItemPainter::paintTexts(const Item& item, const ItemLook& look, const QRectF& at, Detail detail, const Colors& colors)
{
    const PictureFonts& fonts = pictureFonts();
    const double zoom = m_context.zoom();
    const double left = at.left() + kPadLeft * zoom;
    const double right = at.right() - kPadRight * zoom;
    const double content = at.height() - (isStack(item) ? 7 * zoom : 0);
    const bool titleOnly = detail == Detail::label || item.subtitle.empty();
    const double titleScale = std::max(zoom, kMinTextPixels / logicalPixelSize(fonts.title));
    const double titleBase = at.top() + (titleOnly ? content / 2 + 4 * titleScale : content * 0.43);
    const double codeScale = std::max(zoom, kMinTextPixels / logicalPixelSize(fonts.code));
    const QString title = toQString(item.title);
    const double titleWidth = LabelPainter::width(title, fonts.title, titleScale);
    const double noteRoom = detail == Detail::full ? right - left - titleWidth - 8 * zoom : 0;
    // In a small box the name takes precedence, because the color also shows the tag.
    const double cornerShare = titleOnly ? std::clamp(1 - titleWidth / (right - left), 0.25, 0.7) : 0.7;
    const double corner = paintCorner(item, look, colors, {right, titleBase}, codeScale, (right - left) * cornerShare, noteRoom);
    m_labels.paint(title, fonts.title, titleScale, {left, titleBase}, right - left - corner, colors.text, Qt::ElideMiddle);
    if (titleOnly)
        return;
    const double nameBase = at.top() + content * 0.83;
    double detailWidth = 0;
    if (detail == Detail::full) {
        const QFont& font = isStack(item) ? fonts.detail : fonts.mono;
        detailWidth = m_labels.paintRight(toQString(item.detail), font, zoom, {right, nameBase}, (right - left) * 0.65,
                                          colors.dim)
            + 8 * zoom;
    }
    m_labels.paint(toQString(item.subtitle), fonts.mono, zoom, {left, nameBase}, right - left - detailWidth, colors.dim,
                   Qt::ElideMiddle);
}

void ItemPainter::paintChips(const Item& item)
{
    const Theme& theme = m_context.theme();
    const double zoom = m_context.zoom();
    const PictureFonts& fonts = pictureFonts();
    if (!m_context.vector && zoom < kReadableZoom)
        return;
    for (const Chip& chip : item.chips) {
        const QRectF at = m_context.viewRect(chip.rect);
        m_painter.setRenderHint(QPainter::Antialiasing, true);
        m_painter.setPen(QPen(theme.line, 1));
        m_painter.setBrush(theme.soft);
        m_painter.drawRoundedRect(at, at.height() / 2, at.height() / 2);
        const QString text = toQString(chip.text);
        const double room = at.width() - 8 * zoom;
        const double width = std::min(room, LabelPainter::width(text, fonts.chip, zoom));
        m_labels.paint(text, fonts.chip, zoom, {at.center().x() - width / 2, at.center().y() + 3.2 * zoom}, room,
                       readable(theme.dim, theme.soft), Qt::ElideMiddle);
    }
}

void ItemPainter::noteDots(const Item& item, bool isMark)
{
    if (item.chips.empty() && item.note.empty())
        return;
    const Camera& camera = m_context.camera;
    const bool isRight = m_context.picture.direction == FlowDirection::right;
    if (isMark) { // one dot for all chips
        if (item.rect.height * camera.zoom() < kMinDotted)
            return;
        const QRectF at = camera.toView(item.rect);
        m_stubs += isRight ? QLineF(at.center().x(), at.bottom(), at.center().x(), at.bottom() + kMarkStub)
                           : QLineF(at.right(), at.center().y(), at.right() + kMarkStub, at.center().y());
        return;
    }
    const float inset = kChipDot / 2;
    for (const Chip& chip : item.chips)
        addDot(item,
               camera.toView(isRight ? Point{chip.rect.center().x, chip.rect.y + inset}
                                     : Point{chip.rect.x + inset, chip.rect.center().y}));
    if (!item.note.empty())
        addDot(item,
               camera.toView(isRight ? Point{item.rect.right() - inset, item.rect.bottom() + 2 * inset}
                                     : Point{item.rect.right() + 2 * inset, item.rect.bottom() - inset}));
}

void ItemPainter::addDot(const Item& item, QPointF at)
{
    const QRectF box = m_context.camera.toView(item.rect);
    const bool isRight = m_context.picture.direction == FlowDirection::right;
    const double side = std::clamp(kChipDot * m_context.zoom(), 2.0, 5.0);
    m_stubs += QLineF(isRight ? QPointF(at.x(), box.bottom()) : QPointF(box.right(), at.y()), at);
    m_dots += QRectF(at - QPointF(side / 2, side / 2), QSizeF(side, side));
}

void ItemPainter::paintDots()
{
    m_painter.setRenderHint(QPainter::Antialiasing, false);
    m_painter.setPen(QPen(m_context.theme().edge, 1));
    m_painter.drawLines(m_stubs);
    m_painter.setPen(Qt::NoPen);
    m_painter.setBrush(m_context.theme().edge);
    m_painter.drawRects(m_dots);
    m_stubs.clear();
    m_dots.clear();
}

} // namespace sunder
