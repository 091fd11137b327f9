#include "models/elided_label.h"

#include "text/elided_name.h"
#include "text/shown_text.h"

#include <QResizeEvent>

#include <algorithm>

namespace sunder {
namespace {
constexpr qsizetype kMaxMeasured = 500; ///< characters; no pane is that wide
} // namespace

ElidedLabel::ElidedLabel(QWidget* parent) : QLabel(parent)
{
    setTextFormat(Qt::PlainText);
    setSizePolicy(QSizePolicy::Maximum, QSizePolicy::Preferred);
}

void ElidedLabel::setLine(const QString& text, const QString& tip)
{
    m_isFigures = false;
    take(text, tip);
}

void ElidedLabel::setFigures(const QString& text, const QString& tip)
{
    m_isFigures = true;
    take(text, tip);
}

void ElidedLabel::take(const QString& text, const QString& tip)
{
    m_line = text;
    m_tip = tip;
    setAccessibleName(text);
    updateGeometry();
    elide();
}

QSize ElidedLabel::sizeHint() const
{
    ensurePolished();
    return {fontMetrics().horizontalAdvance(m_line.first(std::min(m_line.size(), kMaxMeasured))) + 2,
            QLabel::sizeHint().height()};
}

void ElidedLabel::resizeEvent(QResizeEvent* event)
{
    QLabel::resizeEvent(event);
    elide();
}

void ElidedLabel::elide()
{
    const QFontMetricsF metrics(font());
    const int room = contentsRect().width(); // without the padding of a style sheet
    const QString shown = m_isFigures ? elidedWords(m_line, metrics, room) : elidedName(m_line, metrics, room);
    if (shown != text())
        setText(shown);
    const bool isWhole = shown == m_line;
    setToolTip(folded(isWhole ? m_tip : m_tip.isEmpty() ? m_line : m_line + QLatin1Char('\n') + m_tip));
}

} // namespace sunder

#include "moc_elided_label.cpp"
