#pragma once

#include "canvas/picture_style.h"
#include "text/shown_text.h"

#include <QPainter>

namespace sunder {

/// Paints one-line texts in PictureFonts at any size. Widths and heights are in view pixels.
class LabelPainter final {
public:
    explicit LabelPainter(QPainter& painter) : m_painter(painter) {}

    /// Returns the width of the text with its font at `scale` (1: its size at 100%).
    [[nodiscard]] static double width(const QString& text, const QFont& font, double scale);

    /// Paints the text with the left end of its baseline at `at`, elided to `room`. Paints nothing if not even a few letters fit.
    /// A name (ElideMiddle) is elided by elidedName(), words and figures (ElideRight) by elidedWords(). Returns the width used.
    double paint(const QString& text, const QFont& font, double scale, QPointF at, double room, const QColor& color,
                 Qt::TextElideMode elide = Qt::ElideRight);

    /// The same with the right end at `at`.
    double paintRight(const QString& text, const QFont& font, double scale, QPointF at, double room, const QColor& color,
                      Qt::TextElideMode elide = Qt::ElideRight);

private:
    void paintWhole(const QString& text, const QFont& font, double scale, QPointF at, const QColor& color);

    QPainter& m_painter;
};

inline QString toQString(std::string_view text)
{
    return sunder::text(text);
}

} // namespace sunder
