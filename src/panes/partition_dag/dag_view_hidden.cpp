// What a DagView says of selected ops whose boxes are scrolled out of sight.
#include "panes/partition_dag/dag_view.h"

#include "document/text.h"
#include "models/tag_style_of.h"
#include "text/amounts.h"

#include <QPainter>

namespace sunder {

std::array<std::size_t, 2> DagView::hiddenSelected() const
{
    std::array<std::size_t, 2> hidden{0, 0};
    for (std::size_t i = 0; i < m_marks.selectedOps.size() && i < m_layout.boxes.size(); ++i) {
        if (m_marks.selectedOps[i] == 0)
            continue;
        const QRectF at = viewRectOf({DagPlace::Kind::box, static_cast<int>(i)});
        if (at.bottom() < 4)
            hidden[0] += m_marks.selectedOps[i];
        else if (at.top() > viewport()->height() - 4)
            hidden[1] += m_marks.selectedOps[i];
    }
    return hidden;
}

QRectF DagView::chipRect(bool below) const
{
    constexpr double kWidth = 150;
    constexpr double kHeight = 20;
    return {(viewport()->width() - kWidth) / 2, below ? viewport()->height() - kHeight - 6 : 6.0, kWidth, kHeight};
}

void DagView::paintChips(QPainter& painter)
{
    const Theme& theme = currentTheme();
    const std::array<std::size_t, 2> hidden = hiddenSelected();
    for (const bool below : {false, true}) {
        if (hidden[below ? 1 : 0] == 0)
            continue;
        const QRectF at = chipRect(below);
        painter.setRenderHint(QPainter::Antialiasing);
        painter.setPen(QPen(theme.selection, 1));
        painter.setBrush(mixed(theme.panel, theme.selection, 0.14));
        painter.drawRoundedRect(at, 10, 10);
        painter.setPen(theme.text);
        painter.setFont(font());
        const QString count = countText(hidden[below ? 1 : 0], "op");
        painter.drawText(at, Qt::AlignCenter, below ? tr("↓ %1 below").arg(count) : tr("↑ %1 above").arg(count));
    }
}

bool DagView::clickChip(QPointF at)
{
    const std::array<std::size_t, 2> hidden = hiddenSelected();
    for (const bool below : {false, true}) {
        if (hidden[below ? 1 : 0] == 0 || !chipRect(below).contains(at))
            continue;
        for (std::size_t i = 0; i < m_marks.selectedOps.size(); ++i) {
            const std::size_t box = below ? i : m_marks.selectedOps.size() - 1 - i; // the nearest
            const QRectF rect = viewRectOf({DagPlace::Kind::box, static_cast<int>(box)});
            if (m_marks.selectedOps[box] > 0 && (below ? rect.top() > viewport()->height() - 4 : rect.bottom() < 4)) {
                ensureShown({DagPlace::Kind::box, static_cast<int>(box)});
                return true;
            }
        }
    }
    return false;
}

} // namespace sunder
