#include "app/bottom_panel.h"

#include <QApplication>
#include <QTabBar>

#include <algorithm>
#include <utility>

namespace sunder {
namespace {

constexpr int kMinRow = 22; ///< pixels
constexpr int kBorders = 16;  ///< total height of the margins above and below the rows

/// Tab bar whose tabs can show a count after the title. The title is stored as tab data.
class CountingTabs final : public QTabBar {
public:
    using QTabBar::QTabBar;

protected:
    [[nodiscard]] QSize tabSizeHint(int index) const override
    {
        QSize size = QTabBar::tabSizeHint(index);
        const QString title = tabData(index).toString();
        const auto widthOf = [this](const QString& text) { return fontMetrics().size(Qt::TextShowMnemonic, text).width(); };
        if (!title.isEmpty())
            size.rwidth() += std::max(0, widthOf(title + QStringLiteral(" 999")) - widthOf(tabText(index)));
        return size;
    }
};

} // namespace

BottomPanel::BottomPanel(QWidget* parent) : QTabWidget(parent)
{
    setTabBar(new CountingTabs(this));
    setMinimumHeight(tabBar()->sizeHint().height() + kMinRow + kBorders);
    connect(this, &QTabWidget::tabBarClicked, this, [this](int index) {
        if (m_isFolding && index >= 0)
            setFolded(!m_isFolded && index == currentIndex());
    });
    connect(qApp, &QApplication::focusChanged, this, [this](const QWidget*, const QWidget* now) {
        if (m_isFolded && currentWidget() != nullptr && currentWidget()->isAncestorOf(now))
            unfold();
    });
}

void BottomPanel::setFolding(bool isFolding)
{
    if (std::exchange(m_isFolding, isFolding) != isFolding)
        setFolded(isFolding);
}

void BottomPanel::setFolded(bool isFolded)
{
    if (std::exchange(m_isFolded, isFolded) == isFolded)
        return;
    const int tabs = tabBar()->sizeHint().height();
    setMinimumHeight(isFolded ? tabs : tabs + kMinRow + kBorders);
    setMaximumHeight(isFolded ? tabs : QWIDGETSIZE_MAX);
    emit foldedChanged();
}

void BottomPanel::add(QWidget& page, const QString& title, const QString& tip)
{
    setTabToolTip(addTab(&page, title), tip);
}

void BottomPanel::addCounted(QWidget& page, const QString& title, const QString& tip)
{
    add(page, title, tip);
    tabBar()->setTabData(indexOf(&page), title);
    setCount(page, 0);
}

void BottomPanel::setCount(QWidget& page, int count)
{
    const int index = indexOf(&page);
    const QString title = tabBar()->tabData(index).toString();
    setTabText(index, count == 0 ? title : QStringLiteral("%1 %2").arg(title).arg(count));
}

} // namespace sunder

#include "moc_bottom_panel.cpp"
