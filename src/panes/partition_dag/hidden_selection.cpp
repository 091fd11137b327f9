#include "panes/partition_dag/hidden_selection.h"

#include "canvas/palette.h"
#include "text/amounts.h"

#include <QCoreApplication>
#include <QPainter>

#include <algorithm>

namespace sunder {
namespace {

constexpr double kMinSeen = 4; ///< pixels of a box; with less visible it counts as hidden
constexpr QSizeF kChip(150, 20);
constexpr double kChipMargin = 6;

} // namespace

HiddenSelection::HiddenSelection(std::span<const QRectF> boxes, std::span<const std::size_t> selectedOps, QSizeF view)
{
    const double left = (view.width() - kChip.width()) / 2;
    m_edges[0].chip = QRectF(QPointF(left, kChipMargin), kChip);
    m_edges[1].chip = QRectF(QPointF(left, view.height() - kChip.height() - kChipMargin), kChip);
    for (std::size_t box = 0; box < std::min(boxes.size(), selectedOps.size()); ++box) {
        if (selectedOps[box] == 0)
            continue;
        if (boxes[box].bottom() < kMinSeen) {
            m_edges[0].ops += selectedOps[box];
            m_edges[0].nearest = static_cast<int>(box);
        } else if (boxes[box].top() > view.height() - kMinSeen) {
            m_edges[1].ops += selectedOps[box];
            if (m_edges[1].nearest < 0)
                m_edges[1].nearest = static_cast<int>(box);
        }
    }
}

int HiddenSelection::boxAt(QPointF view) const
{
    for (const Edge& edge : m_edges)
        if (edge.nearest >= 0 && edge.chip.contains(view))
            return edge.nearest;
    return -1;
}

void HiddenSelection::paint(QPainter& painter, const Theme& theme, const QFont& font) const
{
    for (const Edge& edge : m_edges) {
        if (edge.nearest < 0)
            continue;
        painter.setRenderHint(QPainter::Antialiasing);
        painter.setPen(QPen(theme.selection, 1));
        painter.setBrush(mixed(theme.panel, theme.selection, 0.14));
        painter.drawRoundedRect(edge.chip, 10, 10);
        painter.setPen(theme.text);
        painter.setFont(font);
        const QString count = countText(edge.ops, "op");
        painter.drawText(edge.chip, Qt::AlignCenter,
                         &edge == &m_edges[0] ? QCoreApplication::translate("DagView", "↑ %1 above").arg(count)
                                              : QCoreApplication::translate("DagView", "↓ %1 below").arg(count));
    }
}

} // namespace sunder
