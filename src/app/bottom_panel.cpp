#include "app/bottom_panel.h"

#include <QAbstractItemView>
#include <QApplication>
#include <QHeaderView>
#include <QMouseEvent>
#include <QSplitter>
#include <QTabBar>
#include <QTreeView>
#include <QVBoxLayout>

#include <algorithm>
#include <utility>

namespace sunder {
namespace {

constexpr int kMostRows = 5;
constexpr int kLeastRow = 22; ///< pixels
constexpr int kBorders = 16;   ///< above and below the rows together

/// The view in a page that has rows; null in one of plain text.
QAbstractItemView* rowsOf(const QWidget& page)
{
    if (auto* view = qobject_cast<QAbstractItemView*>(const_cast<QWidget*>(&page)))
        return view;
    return page.findChild<QAbstractItemView*>();
}

/// What a page has above and below its rows: a line of buttons.
int heightBeside(const QWidget& page, const QAbstractItemView& view)
{
    const auto* column = qobject_cast<const QVBoxLayout*>(page.layout());
    int height = 0;
    for (int i = 0; column != nullptr && i < column->count(); ++i)
        if (QLayoutItem* item = column->itemAt(i); !item->isEmpty() && item->widget() != &view)
            height += item->hasHeightForWidth() ? item->heightForWidth(page.width()) : item->sizeHint().height();
    return height;
}

} // namespace

BottomPanel::BottomPanel(QSplitter& around) : QTabWidget(&around), m_around(around)
{
    setMinimumHeight(tabBar()->sizeHint().height() + kLeastRow + kBorders);
    connect(this, &QTabWidget::currentChanged, this, &BottomPanel::fit);
    connect(&around, &QSplitter::splitterMoved, this, [this] { m_isHeightChosen = true; });
}

void BottomPanel::add(QWidget& page, const QString& title, const QString& tip)
{
    setTabToolTip(addTab(&page, title), tip);
    const QAbstractItemView* view = rowsOf(page);
    if (view == nullptr || view->model() == nullptr)
        return;
    // After the page itself has seen the change.
    connect(view->model(), &QAbstractItemModel::modelReset, this, &BottomPanel::fit, Qt::QueuedConnection);
    connect(view->model(), &QAbstractItemModel::rowsInserted, this, &BottomPanel::fit, Qt::QueuedConnection);
    connect(view->model(), &QAbstractItemModel::rowsRemoved, this, &BottomPanel::fit, Qt::QueuedConnection);
}

void BottomPanel::resetHeight()
{
    m_isHeightChosen = false;
    fit();
}

void BottomPanel::showEvent(QShowEvent* event)
{
    QTabWidget::showEvent(event);
    fit();
}

int BottomPanel::wantedHeight() const
{
    const int around = tabBar()->sizeHint().height() + kBorders;
    const QAbstractItemView* view = currentWidget() == nullptr ? nullptr : rowsOf(*currentWidget());
    if (view == nullptr || view->model() == nullptr)
        return around + kMostRows * std::max(kLeastRow, fontMetrics().height());
    const int rows = std::min(kMostRows, view->model()->rowCount(view->rootIndex()));
    int height = 0;
    for (int row = 0; row < rows; ++row)
        height += std::max(kLeastRow, view->sizeHintForRow(row));
    const auto* tree = qobject_cast<const QTreeView*>(view);
    const bool hasHeader = tree != nullptr && !tree->isHeaderHidden() && view->isVisibleTo(currentWidget());
    return around + heightBeside(*currentWidget(), *view) + std::max(height, kLeastRow) + (hasHeader ? kLeastRow : 0);
}

void BottomPanel::fit()
{
    if (m_isHeightChosen || m_isFitting || !isVisible())
        return;
    if (QGuiApplication::mouseButtons() != Qt::NoButton)
        return waitForRelease();
    QList<int> sizes = m_around.sizes();
    const int all = sizes.front() + sizes.back();
    const int wanted = std::min(wantedHeight(), all / 2);
    if (sizes.size() != 2 || sizes.back() == wanted)
        return;
    m_isFitting = true;
    m_around.setSizes({all - wanted, wanted});
    m_isFitting = false;
}

void BottomPanel::waitForRelease()
{
    if (std::exchange(m_isWaiting, true))
        return;
    qApp->installEventFilter(this);
}

bool BottomPanel::eventFilter(QObject* watched, QEvent* event)
{
    const bool isMouse = event->type() == QEvent::MouseButtonRelease || event->type() == QEvent::MouseMove;
    const bool isLetGo = isMouse && static_cast<const QMouseEvent*>(event)->buttons() == Qt::NoButton;
    if (m_isWaiting && (isLetGo || event->type() == QEvent::ApplicationDeactivate)) {
        m_isWaiting = false;
        qApp->removeEventFilter(this);
        QMetaObject::invokeMethod(this, &BottomPanel::fit, Qt::QueuedConnection); // behind what the release does
    }
    return QTabWidget::eventFilter(watched, event);
}

} // namespace sunder

#include "moc_bottom_panel.cpp"
