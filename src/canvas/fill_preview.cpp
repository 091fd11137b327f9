#include "canvas/fill_preview.h"

#include "canvas/label_painter.h"
#include "canvas/palette.h"
#include "canvas/picture_style.h"

#include <QStringList>

#include <algorithm>
#include <array>

namespace sunder {
namespace {

constexpr double kMinOutlined = 6; ///< minimum height in pixels for an outline
constexpr double kFillCardPad = 9;
constexpr double kFillCardRow = 16;
constexpr double kFillCardMost = 440; ///< maximum width in pixels
constexpr double kFillCardAway = 16;
constexpr double kFillTextScale = 1.15;

/// Returns the rectangle of the card next to the point, on a side with room.
QRectF cardPlace(QPointF at, QSizeF card, QSizeF view)
{
    const auto held = [](double wanted, double other, double size, double room) {
        if (wanted + size <= room - 4)
            return wanted;
        return std::max(4.0, std::min(other - size, room - 4 - size));
    };
    return {held(at.x() + kFillCardAway, at.x() - kFillCardAway, card.width(), view.width()),
            held(at.y() + kFillCardAway, at.y() - kFillCardAway, card.height(), view.height()), card.width(), card.height()};
}

} // namespace

QString FillPreview::words() const
{
    QStringList words{target.isEmpty() ? title : title + QLatin1Char(' ') + target, amount, legality};
    words.removeAll(QString());
    return words.join(QStringLiteral("; "));
}

void FillOverlay::set(FillPreview preview)
{
    m_preview = std::move(preview);
    m_picture.reset();
    m_layer = {};
}

std::size_t FillOverlay::itemCount(const CanvasScene& scene) const
{
    find(scene);
    return m_whole.size() + m_partly.size();
}

void FillOverlay::find(const CanvasScene& scene) const
{
    if (m_picture == scene.sharedPicture())
        return;
    m_picture = scene.sharedPicture();
    m_layer = {};
    m_whole.clear();
    m_partly.clear();
    std::vector<std::uint32_t> counts(scene.picture().items.size(), 0);
    for (const NodeId node : m_preview.nodes)
        if (const ItemId item = scene.itemOf(node))
            ++counts[item.index()];
    for (std::uint32_t index = 0; index < counts.size(); ++index) {
        const ItemId item(index);
        if (counts[index] == 0)
            continue;
        (counts[index] >= std::max(1U, scene.item(item).opCount) ? m_whole : m_partly).push_back(item);
    }
}

void FillOverlay::paint(QPainter& painter, const CanvasSight& sight) const
{
    if (m_preview.empty())
        return;
    find(sight.scene);
    if (!m_whole.empty() || !m_partly.empty())
        painter.drawPixmap(0, 0, layer(sight, painter.device()->devicePixelRatioF()));
    paintCard(painter, sight);
}

const QPixmap& FillOverlay::layer(const CanvasSight& sight, double pixelRatio) const
{
    const QSize size = (sight.view * pixelRatio).toSize();
    if (!m_layer.isNull() && m_layer.size() == size && m_layerCamera == sight.camera)
        return m_layer;
    m_layer = QPixmap(size);
    m_layer.setDevicePixelRatio(pixelRatio);
    m_layer.fill(Qt::transparent);
    m_layerCamera = sight.camera;
    QPainter painter(&m_layer);
    paintItems(painter, sight);
    return m_layer;
}

void FillOverlay::paintItems(QPainter& painter, const CanvasSight& sight) const
{
    const QColor color = m_preview.color.isValid() ? m_preview.color : sight.scene.style().theme->selection;
    QColor ground = color;
    ground.setAlphaF(0.28F);
    const QRectF view(QPointF(), sight.view);
    painter.setRenderHint(QPainter::Antialiasing, false); // thousands of items at small zooms
    painter.setPen(QPen(color, 2));
    painter.setBrush(ground);
    for (const ItemId item : m_whole) {
        const QRectF at = sight.viewRectOf(item);
        if (!at.intersects(view))
            continue;
        if (at.height() < kMinOutlined)
            painter.fillRect(at, color); // a spot at small zooms, as for items
        else
            painter.drawRect(at);
    }
    painter.setPen(QPen(color, 2, Qt::DashLine));
    painter.setBrush(Qt::NoBrush);
    for (const ItemId item : m_partly)
        if (const QRectF at = sight.viewRectOf(item); at.intersects(view))
            painter.drawRect(at);
}

void FillOverlay::paintCard(QPainter& painter, const CanvasSight& sight) const
{
    const Theme& theme = *sight.scene.style().theme;
    const PictureFonts& fonts = pictureFonts();
    struct Line {
        QString text;
        const QFont& font;
        QColor color;
        QString end; ///< never elided
    };
    const std::array lines{
        Line{m_preview.title, fonts.title, theme.text,
             m_preview.target.isEmpty() ? QString() : QLatin1Char(' ') + m_preview.target},
        Line{m_preview.amount, fonts.detail, theme.text, {}},
        Line{m_preview.legality, fonts.detail, readable(m_preview.isWorse ? theme.error : theme.dim, theme.panel), {}}};
    double width = 0;
    double rows = 0;
    for (const Line& line : lines) {
        width = std::max(width, LabelPainter::width(line.text + line.end, line.font, kFillTextScale));
        rows += line.text.isEmpty() ? 0 : 1;
    }
    width = std::min({width + 2 * kFillCardPad + 4, kFillCardMost, sight.view.width() - 8});
    const QRectF card = cardPlace(m_at, {width, rows * kFillCardRow + 2 * kFillCardPad - 3}, sight.view);
    painter.setRenderHint(QPainter::Antialiasing, true);
    painter.setPen(QPen(m_preview.isWorse ? theme.error : theme.line, 1));
    painter.setBrush(theme.panel);
    painter.drawRoundedRect(card, 5, 5);
    if (m_preview.color.isValid()) {
        painter.setPen(Qt::NoPen);
        painter.setBrush(m_preview.color);
        painter.drawRoundedRect(QRectF(card.left() + 2, card.top() + 4, 3, card.height() - 8), 1.5, 1.5);
    }
    LabelPainter labels(painter);
    QPointF at = card.topLeft() + QPointF(kFillCardPad + 2, kFillCardPad + 9);
    for (const Line& line : lines) {
        if (line.text.isEmpty())
            continue;
        const double room = card.width() - 2 * kFillCardPad;
        const double end = LabelPainter::width(line.end, line.font, kFillTextScale);
        const double own = std::min(LabelPainter::width(line.text, line.font, kFillTextScale) + 1, std::max(0.0, room - end));
        labels.paint(line.text, line.font, kFillTextScale, at, own, line.color);
        labels.paint(line.end, line.font, kFillTextScale, at + QPointF(own, 0), room - own, line.color);
        at.ry() += kFillCardRow;
    }
}

} // namespace sunder
