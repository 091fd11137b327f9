#include "canvas/label_painter.h"

#include "text/elided_name.h"

#include <QCache>
#include <QFontMetricsF>
#include <QHash>

namespace sunder {
namespace {

struct WidthKey {
    QString text;
    int pixelSize;
    int weight;
    bool fixed;
    friend bool operator==(const WidthKey&, const WidthKey&) = default;
};

size_t qHash(const WidthKey& key, size_t seed)
{
    return qHashMulti(seed, key.text, key.pixelSize, key.weight, key.fixed);
}

/// Shaping a text to measure it costs as much as painting it, and each frame has the same few thousand texts.
double unitWidth(const QString& text, const QFont& font)
{
    thread_local QCache<WidthKey, double> s_widths(20000); // pictures for files are painted in jobs
    const WidthKey key{text, font.pixelSize(), font.weight(), font.styleHint() == QFont::Monospace};
    if (const double* known = s_widths.object(key))
        return *known;
    const double width = QFontMetricsF(font).horizontalAdvance(text) / PictureFonts::kFontUnits;
    s_widths.insert(key, new double(width));
    return width;
}

} // namespace

double LabelPainter::width(const QString& text, const QFont& font, double scale)
{
    return unitWidth(text, font) * scale;
}

void LabelPainter::paintWhole(const QString& text, const QFont& font, double scale, QPointF at, const QColor& color)
{
    const QTransform before = m_painter.transform();
    m_painter.translate(at);
    m_painter.scale(scale / PictureFonts::kFontUnits, scale / PictureFonts::kFontUnits);
    m_painter.setFont(font);
    m_painter.setPen(color);
    m_painter.drawText(QPointF(0, 0), text);
    m_painter.setTransform(before);
}

double LabelPainter::paint(const QString& text, const QFont& font, double scale, QPointF at, double room, const QColor& color,
                           Qt::TextElideMode elide)
{
    if (text.isEmpty() || room <= 0)
        return 0;
    const double whole = width(text, font, scale);
    if (whole <= room + 0.5) {
        paintWhole(text, font, scale, at, color);
        return whole;
    }
    constexpr double kMinEms = 1.7;
    if (room < kMinEms * logicalPixelSize(font) * scale)
        return 0;
    const QFontMetricsF metrics(font);
    const double units = room * PictureFonts::kFontUnits / scale;
    const QString shorter = elide == Qt::ElideMiddle ? elidedName(text, metrics, units) : elidedWords(text, metrics, units);
    paintWhole(shorter, font, scale, at, color);
    return room;
}

double LabelPainter::paintRight(const QString& text, const QFont& font, double scale, QPointF at, double room,
                                const QColor& color, Qt::TextElideMode elide)
{
    const double taken = std::min(width(text, font, scale), room);
    return paint(text, font, scale, {at.x() - taken, at.y()}, room, color, elide);
}

} // namespace sunder
