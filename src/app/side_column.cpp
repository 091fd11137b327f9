#include "app/side_column.h"

#include <QApplication>
#include <QLayout>
#include <QMouseEvent>
#include <QWidget>

#include <algorithm>
#include <numeric>
#include <utility>

namespace sunder {

/// Holds a panel of the side column. If it is too low for the panel, it cuts off the panel's lower part instead of squeezing all of
/// it, so that the header stays whole.
class SidePanel final : public QWidget {
    Q_OBJECT

public:
    SidePanel(QWidget& panel, QWidget* parent);
    [[nodiscard]] const QWidget& panel() const { return m_panel; }
    [[nodiscard]] int headerHeight() const;
    /// Sets whether only the header is visible; it then looks and acts like a button.
    void setFolded(bool isFolded);
    [[nodiscard]] bool isFolded() const { return m_isFolded; }

signals:
    void headerClicked();

protected:
    void resizeEvent(QResizeEvent* event) override;
    void mousePressEvent(QMouseEvent* event) override;

private:
    QWidget& m_panel;
    bool m_isFolded = false;
};

SidePanel::SidePanel(QWidget& panel, QWidget* parent) : QWidget(parent), m_panel(panel)
{
    panel.setParent(this);
    panel.show();
}

int SidePanel::headerHeight() const
{
    return m_panel.layout()->itemAt(0)->sizeHint().height();
}

void SidePanel::setFolded(bool isFolded)
{
    m_isFolded = isFolded;
    if (isFolded)
        setCursor(Qt::PointingHandCursor);
    else
        unsetCursor();
    setToolTip(isFolded ? tr("Click to open") : QString());
}

void SidePanel::resizeEvent(QResizeEvent* event)
{
    QWidget::resizeEvent(event);
    m_panel.setGeometry(0, 0, width(), std::max(height(), m_panel.minimumHeight()));
}

void SidePanel::mousePressEvent(QMouseEvent* event)
{
    if (event->button() == Qt::LeftButton && event->position().y() < headerHeight())
        emit headerClicked();
    else
        QWidget::mousePressEvent(event);
}

namespace {

constexpr int kMinPanelHeight = 72;
constexpr std::size_t kOpenIfLow = 2; ///< panels

/// Distributes a height among panels. Each gets its needed height plus a share of the surplus. If there is too little, each gets
/// the minimum height plus a share of the rest in proportion to its need.
QList<int> dividedByNeed(int height, const QList<int>& needs, const QList<int>& shares)
{
    const int needed = std::accumulate(needs.begin(), needs.end(), 0);
    const int least = static_cast<int>(needs.size()) * kMinPanelHeight;
    QList<int> heights;
    for (qsizetype i = 0; i < needs.size(); ++i) {
        const int beyondLeast = (needs[i] - kMinPanelHeight) * std::max(0, height - least) / (needed - least);
        heights << (height < needed ? kMinPanelHeight + beyondLeast : needs[i] + (height - needed) * shares[i] / 100);
    }
    return heights;
}

} // namespace

SideColumn::SideColumn(QWidget* parent) : QSplitter(Qt::Vertical, parent)
{
    setHandleWidth(1);
    setChildrenCollapsible(false);
    connect(this, &QSplitter::splitterMoved, this, [this] {
        if (!m_isLow)
            m_chosen = sizes();
    });
    connect(qApp, &QApplication::focusChanged, this, [this](const QWidget*, const QWidget* now) {
        for (SidePanel* panel : m_panels)
            if (panel->isFolded() && panel->isAncestorOf(now))
                open(*panel);
    });
}

void SideColumn::add(QWidget& panel, int share)
{
    panel.setMinimumHeight(kMinPanelHeight);
    auto* holder = new SidePanel(panel, this);
    holder->setMinimumHeight(kMinPanelHeight);
    m_panels.push_back(holder);
    m_recent.insert(m_recent.begin() + (m_recent.empty() ? 0 : 1), holder); // the first and the last panel start open
    m_shares << share;
    setStretchFactor(count() - 1, m_panels.size() == 1 ? 2 : 1);
    connect(holder, &SidePanel::headerClicked, this, [this, holder] { open(*holder); });
}

void SideColumn::setNeeds(const QList<int>& needs)
{
    if (!m_chosen.isEmpty())
        return;
    m_needs = needs;
    share();
}

void SideColumn::forgetChoice()
{
    m_chosen.clear();
    share();
}

void SideColumn::choose(const QList<int>& heights)
{
    if (heights.size() != count())
        return;
    m_chosen = heights;
    share();
}

void SideColumn::setLow(bool isLow)
{
    if (std::exchange(m_isLow, isLow) == isLow)
        return;
    share();
}

bool SideColumn::isFolded(const QWidget& panel) const
{
    return std::ranges::any_of(m_panels, [&](const SidePanel* each) { return &each->panel() == &panel && each->isFolded(); });
}

void SideColumn::open(SidePanel& panel)
{
    if (!m_isLow || !panel.isFolded())
        return;
    std::erase(m_recent, &panel);
    m_recent.insert(m_recent.begin(), &panel);
    share();
}

QList<int> SideColumn::heightsIfLow(int height) const
{
    int rest = height;
    for (const SidePanel* panel : m_panels)
        rest -= panel->isFolded() ? panel->headerHeight() : 0;
    QList<int> heights;
    for (const SidePanel* panel : m_panels)
        heights << (panel->isFolded() ? panel->headerHeight() : rest / static_cast<int>(kOpenIfLow));
    return heights;
}

void SideColumn::share()
{
    for (std::size_t i = 0; i < m_recent.size(); ++i) {
        SidePanel& panel = *m_recent[i];
        panel.setFolded(m_isLow && i >= kOpenIfLow);
        panel.setMinimumHeight(panel.isFolded() ? panel.headerHeight() : kMinPanelHeight);
        panel.setMaximumHeight(panel.isFolded() ? panel.headerHeight() : QWIDGETSIZE_MAX);
    }
    const int height = this->height() - handleWidth() * (count() - 1);
    if (m_isLow)
        setSizes(heightsIfLow(height));
    else if (!m_chosen.isEmpty())
        setSizes(m_chosen);
    else if (m_needs.size() == count())
        setSizes(dividedByNeed(height, m_needs, m_shares));
}

void SideColumn::resizeEvent(QResizeEvent* event)
{
    QSplitter::resizeEvent(event);
    if (m_isLow || m_chosen.isEmpty())
        share();
}

} // namespace sunder

#include "moc_side_column.cpp"
#include "side_column.moc"
