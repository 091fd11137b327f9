#include "models/look.h"

#include <QStyle>
#include <QVariant>

namespace sunder {

void setLook(QWidget& widget, const QString& look)
{
    constexpr const char* kProperty = "look";
    if (widget.property(kProperty).toString() == look)
        return;
    widget.setProperty(kProperty, look);
    if (!widget.testAttribute(Qt::WA_WState_Polished))
        return;
    widget.style()->unpolish(&widget); // apply the style sheet again
    widget.style()->polish(&widget);
}

} // namespace sunder
