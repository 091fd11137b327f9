#include "app/dialog_room.h"

#include <QApplication>
#include <QDialogButtonBox>
#include <QEvent>
#include <QScreen>
#include <QScrollArea>
#include <QScrollBar>
#include <QVBoxLayout>

#include <algorithm>

namespace sunder {
namespace {

constexpr QSize kFrame(16, 40); ///< of a window, with its title

const QString kScrolled = QStringLiteral("scrolledContent");

/// Takes a widget out of a layout or one within it.
bool takeOut(QLayout& layout, QWidget& widget)
{
    if (layout.indexOf(&widget) >= 0) {
        layout.removeWidget(&widget);
        return true;
    }
    for (int i = 0; i < layout.count(); ++i)
        if (QLayout* inner = layout.itemAt(i)->layout(); inner != nullptr && takeOut(*inner, widget))
            return true;
    return false;
}

/// Moves the content into a scrolled area. The buttons, and what their form says they depend on, stay below it.
void letScroll(QDialog& dialog, QLayout& content)
{
    QWidget* focus = dialog.focusWidget(); // a widget loses it with its parent
    const QMargins margins = content.contentsMargins();
    auto* end = new QVBoxLayout;
    end->setContentsMargins(margins.left(), 0, margins.right(), 0);
    for (QWidget* widget : dialog.findChildren<QWidget*>(QString(), Qt::FindDirectChildrenOnly))
        if ((qobject_cast<QDialogButtonBox*>(widget) != nullptr || widget->property("staysInSight").toBool())
            && takeOut(content, *widget))
            end->addWidget(widget);
    auto* holder = new QWidget;
    holder->setLayout(&content);
    auto* area = new QScrollArea(&dialog);
    area->setObjectName(kScrolled);
    area->setWidgetResizable(true);
    area->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    area->setWidget(holder);
    area->setMinimumWidth(holder->minimumSizeHint().width() + area->verticalScrollBar()->sizeHint().width());
    area->setFocusPolicy(Qt::NoFocus);
    auto* all = new QVBoxLayout(&dialog);
    all->setContentsMargins(0, 0, 0, margins.bottom());
    all->addWidget(area, 1);
    all->addLayout(end);
    area->show();
    if (focus != nullptr)
        focus->setFocus();
}

/// Returns the height that the texts need at this width. The minimum size of a layout counts one line for each text.
int heightFor(const QLayout& layout, int width)
{
    const int least = layout.totalMinimumSize().height();
    return layout.hasHeightForWidth() ? std::max(least, layout.minimumHeightForWidth(width)) : least;
}

/// Fits a visible dialog, whose texts or width have changed, into its screen.
void refit(QDialog& dialog)
{
    const QRect screen = dialog.screen()->availableGeometry();
    const int height = dialog.height();
    fitInto(dialog, screen.size() - kFrame);
    if (const int over = dialog.frameGeometry().bottom() - screen.bottom(); over > 0 && dialog.height() > height)
        dialog.move(dialog.x(), std::max(screen.top(), dialog.y() - over));
}

/// Takes away the height that wrapped texts need only at a smaller width. It would become gaps around titles.
void dropSpareHeight(QDialog& dialog)
{
    const QLayout* layout = dialog.layout();
    const bool grows = std::ranges::any_of(dialog.findChildren<QWidget*>(), [](const QWidget* widget) {
        return widget->sizePolicy().expandingDirections().testFlag(Qt::Vertical);
    });
    if (layout == nullptr || !layout->hasHeightForWidth() || grows)
        return;
    dialog.resize(dialog.width(), layout->totalHeightForWidth(dialog.width()));
    dialog.setAttribute(Qt::WA_Resized, false); // measure again when it is shown again
}

} // namespace

void fitInto(QDialog& dialog, QSize room)
{
    QLayout* layout = dialog.layout();
    if (layout == nullptr)
        return;
    layout->activate();
    const QSize wanted = dialog.size().boundedTo(room);
    const int needed = heightFor(*layout, wanted.width());
    if (needed > room.height() && dialog.findChild<QScrollArea*>(kScrolled) == nullptr)
        letScroll(dialog, *layout);
    dialog.layout()->activate(); // lowers the minimum size
    const QSize fit(wanted.width(), std::min(room.height(), std::max(wanted.height(), needed)));
    if (fit != dialog.size())
        dialog.resize(fit);
}

DialogRoom::DialogRoom(QObject* parent) : QObject(parent)
{
    qApp->installEventFilter(this);
}

bool DialogRoom::eventFilter(QObject* watched, QEvent* event)
{
    const QEvent::Type type = event->type();
    if (type != QEvent::Show && type != QEvent::LayoutRequest && type != QEvent::Resize)
        return QObject::eventFilter(watched, event);
    auto* dialog = qobject_cast<QDialog*>(watched);
    if (dialog == nullptr || !dialog->isWindow() || (type == QEvent::Show && event->spontaneous()))
        return QObject::eventFilter(watched, event);
    if (type == QEvent::Show) {
        if (!dialog->testAttribute(Qt::WA_Resized))
            dropSpareHeight(*dialog);
        fitInto(*dialog, dialog->screen()->availableSize() - kFrame);
    } else if (dialog->isVisible()) // queued: its layout has not seen the event yet
        QMetaObject::invokeMethod(dialog, [dialog] { refit(*dialog); }, Qt::QueuedConnection);
    return QObject::eventFilter(watched, event);
}

} // namespace sunder

#include "moc_dialog_room.cpp"
