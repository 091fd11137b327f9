#include "models/tag_strip.h"

namespace sunder {

void paintTagStrip(QPainter& painter, const QRectF& rect, const TagShares& shares, const std::vector<TagLook>& looks,
                   const Theme& theme)
{
    painter.save();
    painter.setPen(Qt::NoPen);
    painter.fillRect(rect, theme.soft);
    double x = rect.left();
    for (const TagShare& share : shares) {
        const double width = rect.width() * share.share;
        if (const TagLook* look = lookOfTag(looks, share.tag))
            painter.fillRect(QRectF(x, rect.top(), width, rect.height()), tagBrush(look->style, theme));
        x += width;
    }
    painter.restore();
}

} // namespace sunder
