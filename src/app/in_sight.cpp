#include "app/in_sight.h"

#include <QWidget>

namespace sunder {

bool isInSight(const QWidget& widget)
{
    if (!widget.isVisible())
        return false;
    QRect shown = widget.rect();
    for (const QWidget* at = &widget; !at->isWindow() && !shown.isEmpty(); at = at->parentWidget())
        shown = shown.translated(at->pos()) & at->parentWidget()->rect();
    return !shown.isEmpty();
}

} // namespace sunder
