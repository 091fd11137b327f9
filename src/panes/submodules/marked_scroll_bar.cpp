#include "panes/submodules/marked_scroll_bar.h"

#include "models/tag_style_of.h"

#include <QPainter>

#include <algorithm>
#include <cmath>

namespace sunder {

void MarkedScrollBar::setMarks(const std::vector<int>& marked, int lines)
{
    m_marks.clear();
    for (const int line : marked)
        m_marks.push_back((line + 0.5) / std::max(1, lines));
    update();
}

void MarkedScrollBar::paintEvent(QPaintEvent* event)
{
    constexpr double kThick = 2;
    QScrollBar::paintEvent(event);
    QPainter painter(this);
    double last = -kThick;
    for (const double mark : m_marks) {
        const double y = std::round(mark * (height() - kThick));
        if (y - last < kThick) // one mark per position, even for thousands of lines
            continue;
        painter.fillRect(QRectF(1, y, width() - 2, kThick), currentTheme().selection);
        last = y;
    }
}

} // namespace sunder

#include "moc_marked_scroll_bar.cpp"
