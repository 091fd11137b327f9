#include "app/focus_areas.h"

#include "app/in_sight.h"
#include "panes/pane.h"
#include "panes/pane_header.h"

#include <QAbstractButton>
#include <QApplication>
#include <QComboBox>
#include <QLineEdit>
#include <QTabBar>

namespace sunder {
namespace {

bool isAside(const QWidget& widget)
{
    return qobject_cast<const QAbstractButton*>(&widget) != nullptr || qobject_cast<const QTabBar*>(&widget) != nullptr
        || qobject_cast<const QLineEdit*>(&widget) != nullptr || qobject_cast<const QComboBox*>(&widget) != nullptr;
}

/// Returns the main widget of an area: the first in tab order that takes the focus, preferring lists and graphs. Null if there is
/// none.
QWidget* mainWidgetOf(const QWidget& area)
{
    QWidget* aside = nullptr;
    for (QWidget* widget = area.nextInFocusChain(); widget != &area; widget = widget->nextInFocusChain()) {
        const bool takesFocus = (widget->focusPolicy() & Qt::TabFocus) != 0 && widget->isEnabled();
        if (!takesFocus || !area.isAncestorOf(widget) || !isInSight(*widget))
            continue;
        if (!isAside(*widget))
            return widget;
        if (aside == nullptr)
            aside = widget;
    }
    return aside;
}

/// Returns the index of the area with the focus; −1 if none has it.
int placeOfFocus(const std::vector<QWidget*>& areas)
{
    for (const QWidget* at = QApplication::focusWidget(); at != nullptr; at = at->parentWidget()) {
        const auto* header = qobject_cast<const PaneHeader*>(at); // the title bar of a dock is a sibling of its pane
        const QWidget* area = header == nullptr ? at : &header->pane();
        for (std::size_t i = 0; i < areas.size(); ++i)
            if (areas[i] == area)
                return static_cast<int>(i);
    }
    return -1;
}

} // namespace

void stepFocus(const std::vector<QWidget*>& areas, int by)
{
    const int count = static_cast<int>(areas.size());
    int place = placeOfFocus(areas);
    if (place < 0 && by < 0)
        place = 0;
    for (int tried = 0; tried < count; ++tried) {
        place = (place + by + count) % count;
        QWidget& area = *areas[static_cast<std::size_t>(place)];
        QWidget* widget = mainWidgetOf(area);
        if (widget == nullptr)
            continue;
        widget->activateWindow(); // a dock can be a separate window
        widget->setFocus(Qt::TabFocusReason);
        return;
    }
}

} // namespace sunder
