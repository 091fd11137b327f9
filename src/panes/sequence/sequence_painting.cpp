// Painting of the strip: module names and boundaries on the left, tags in the middle, handles above them.
#include "document/text.h"
#include "models/tag_style_of.h"
#include "panes/sequence/sequence_strip.h"
#include "text/elided_name.h"

#include <QPainter>
#include <QStyleOption>

namespace sunder {
namespace {

constexpr double kStripMargin = 8;
constexpr double kStripBar = 22;
constexpr double kGripWidth = 10; ///< of a handle, to the right of the bar
constexpr double kTick = 6;
constexpr double kMinNames = 32; ///< minimum width for names
constexpr double kMaxGrip = 12;
constexpr double kMinTickGap = 4;

double gripHeight(double spacing)
{
    return std::clamp(spacing - 1, 4.0, kMaxGrip);
}

} // namespace

SequenceScale SequenceStrip::scale() const
{
    const double right = width() - kGripWidth - 4;
    const double left = std::max(kTick + 2.0, right - kStripBar);
    return {QRectF(left, kStripMargin, right - left, std::max(1.0, height() - 2 * kStripMargin)),
            m_content->isEmpty() ? 1 : m_content->sequence->callCount()};
}

QRectF SequenceStrip::handleRect(int handle) const
{
    const SequenceScale at = scale();
    const double y = at.y(placeOf(handle));
    double spacing = kMaxGrip + 1;
    if (handle > 0)
        spacing = std::min(spacing, y - at.y(placeOf(handle - 1)));
    if (handle + 1 < handleCount())
        spacing = std::min(spacing, at.y(placeOf(handle + 1)) - y);
    const double height = gripHeight(spacing);
    return {at.bar.left() - 3, y - height / 2, at.bar.width() + 3 + kGripWidth, height};
}

void SequenceStrip::layRows()
{
    m_rows.clear();
    if (!m_content->isEmpty())
        m_rows = sequenceRows(*m_content->sequence, m_isMoving && m_move ? m_move->partOf() : m_content->partOf, scale(),
                              devicePixelRatioF());
    update();
}

void SequenceStrip::resizeEvent(QResizeEvent* event)
{
    layRows();
    QWidget::resizeEvent(event);
}

void SequenceStrip::paintEvent(QPaintEvent*)
{
    QPainter painter(this);
    const Theme& theme = currentTheme();
    painter.fillRect(rect(), theme.panel);
    if (m_content->isEmpty())
        return;
    painter.setRenderHint(QPainter::Antialiasing, true);
    paintModules(painter);
    paintBar(painter);
    paintSeen(painter);
    for (int handle = 0; handle < handleCount(); ++handle)
        if (handle != m_current)
            paintHandle(painter, handle);
    if (m_current >= 0) // on top of the others
        paintHandle(painter, m_current);
}

void SequenceStrip::paintBar(QPainter& painter) const
{
    const Theme& theme = currentTheme();
    const QRectF bar = scale().bar;
    painter.setRenderHint(QPainter::Antialiasing, false); // no gaps between rows
    painter.fillRect(bar, theme.soft);
    for (const SequenceRow& row : m_rows) {
        double x = bar.left();
        for (const SequenceRow::Share& share : row.shares) {
            const double width = bar.width() * share.share;
            if (const TagLook* look = lookOfTag(m_content->looks, share.tag))
                painter.fillRect(QRectF(QPointF(x, row.top), QPointF(x + width, row.bottom)), tagBrush(look->style, theme));
            x += width;
        }
    }
    painter.setRenderHint(QPainter::Antialiasing, true);
}

void SequenceStrip::paintModules(QPainter& painter) const
{
    const Theme& theme = currentTheme();
    const SequenceScale at = scale();
    const ModelSequence& sequence = *m_content->sequence;
    const QFontMetricsF metrics(font());
    const std::uint8_t depth = labeledDepth(sequence, at, metrics.height());
    painter.setPen(QPen(theme.faint, 1));
    double free = 0;
    for (std::uint32_t place = 0; place <= at.calls; ++place) {
        const double y = at.y(place);
        if (!sequence.isBorder(place, depth) || y < free)
            continue;
        const double length = sequence.isBorder(place, sequence.coarseDepth) ? kTick : kTick / 2;
        painter.drawLine(QPointF(at.bar.left() - length, y), QPointF(at.bar.left(), y));
        free = y + kMinTickGap;
    }
    const double room = at.bar.left() - kTick - 4 - kStripMargin;
    if (room < kMinNames)
        return;
    for (const SequenceLabel& label : sequenceLabels(sequence, at, metrics.height())) {
        const QString name = elidedName(visitLabel(sequence, sequence.visits[label.visit]), metrics, room);
        painter.setPen(label.isInner ? theme.dim : theme.text);
        painter.drawText(QRectF(kStripMargin, label.y - metrics.height() / 2, room, metrics.height()),
                         Qt::AlignRight | Qt::AlignVCenter, name);
    }
}

/// Paints a line along the calls that the canvas shows now.
void SequenceStrip::paintSeen(QPainter& painter) const
{
    if (m_seen.size() != m_content->partOf.size())
        return;
    const SequenceScale at = scale();
    const QColor color = currentTheme().selection;
    for (std::uint32_t call = 0; call < at.calls;) {
        std::uint32_t end = call;
        while (end < at.calls && m_seen[end])
            ++end;
        if (end > call)
            painter.fillRect(QRectF(at.bar.right() + 2, at.y(call), 2, std::max(2.0, at.y(end) - at.y(call))), color);
        call = end + 1;
    }
}

void SequenceStrip::paintHandle(QPainter& painter, int handle) const
{
    const Theme& theme = currentTheme();
    const QRectF rect = handleRect(handle);
    const bool isLive = handle == m_current && (hasFocus() || m_isMoving);
    const bool isIllegal = m_isMoving && handle == m_current && m_figures && m_figures->legality.backward > 0;
    const QColor line = isIllegal ? theme.error : isLive ? theme.selection : theme.text;
    const double y = rect.center().y();
    painter.setPen(QPen(theme.panel, 4));
    painter.drawLine(QPointF(rect.left(), y), QPointF(rect.right() - 2, y));
    painter.setPen(QPen(line, 2, isIllegal ? Qt::DashLine : Qt::SolidLine));
    painter.drawLine(QPointF(rect.left(), y), QPointF(rect.right() - 2, y));
    const QRectF grip(rect.right() - kGripWidth, rect.top(), kGripWidth - 1, rect.height());
    painter.setPen(QPen(line, isLive ? 2 : 1, isLocked(handle) ? Qt::DotLine : Qt::SolidLine));
    painter.setBrush(handle == m_hovered || isLive ? theme.soft : theme.panel);
    painter.drawRoundedRect(grip.adjusted(0.5, 0.5, -0.5, -0.5), 3, 3);
    painter.setBrush(Qt::NoBrush);
}

} // namespace sunder
