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

/// Moves the column into a scrolled area above the buttons.
void letScroll(QDialog& dialog, QVBoxLayout& column, QDialogButtonBox& buttons)
{
    QWidget* focus = dialog.focusWidget(); // a widget loses it with its parent
    const QMargins margins = column.contentsMargins();
    column.removeWidget(&buttons);
    auto* content = new QWidget;
    content->setLayout(&column);
    auto* area = new QScrollArea(&dialog);
    area->setWidgetResizable(true);
    area->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    area->setWidget(content);
    area->setMinimumWidth(content->minimumSizeHint().width() + area->verticalScrollBar()->sizeHint().width());
    area->setFocusPolicy(Qt::NoFocus);
    auto* all = new QVBoxLayout(&dialog);
    all->setContentsMargins(0, 0, 0, margins.bottom());
    all->addWidget(area, 1);
    auto* end = new QHBoxLayout;
    end->setContentsMargins(margins.left(), 0, margins.right(), 0);
    end->addWidget(&buttons);
    all->addLayout(end);
    area->show();
    if (focus != nullptr)
        focus->setFocus();
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
    auto* column = qobject_cast<QVBoxLayout*>(dialog.layout());
    if (column != nullptr && column->count() > 1 && column->totalMinimumSize().height() > room.height())
        if (auto* buttons = qobject_cast<QDialogButtonBox*>(column->itemAt(column->count() - 1)->widget()))
            letScroll(dialog, *column, *buttons);
    if (dialog.layout() != nullptr)
        dialog.layout()->activate(); // lowers the minimum size
    if (dialog.width() > room.width() || dialog.height() > room.height())
        dialog.resize(dialog.size().boundedTo(room));
}

DialogRoom::DialogRoom(QObject* parent) : QObject(parent)
{
    qApp->installEventFilter(this);
}

bool DialogRoom::eventFilter(QObject* watched, QEvent* event)
{
    if (event->type() == QEvent::Show && !event->spontaneous())
        if (auto* dialog = qobject_cast<QDialog*>(watched); dialog != nullptr && dialog->isWindow()) {
            if (!dialog->testAttribute(Qt::WA_Resized))
                dropSpareHeight(*dialog);
            fitInto(*dialog, dialog->screen()->availableSize() - kFrame);
        }
    return QObject::eventFilter(watched, event);
}

} // namespace sunder

#include "moc_dialog_room.cpp"
