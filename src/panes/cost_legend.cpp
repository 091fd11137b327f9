#include "panes/cost_legend.h"

#include "models/look.h"
#include "models/tag_style_of.h"
#include "text/elided_name.h"
#include "text/shown_text.h"

#include <QPainter>
#include <QToolButton>

#include <algorithm>

namespace sunder {
namespace {
constexpr int kLineHeight = 24;
constexpr int kLinePad = 10;
} // namespace

CostLegend::CostLegend(QWidget* parent) : QWidget(parent), m_retry(new QToolButton(this))
{
    setObjectName(QStringLiteral("costLegend"));
    setSizePolicy(QSizePolicy::Ignored, QSizePolicy::Fixed);
    setLook(*m_retry, QStringLiteral("headerChoice"));
    m_retry->setText(tr("Count again"));
    m_retry->setFocusPolicy(Qt::TabFocus);
    connect(m_retry, &QToolButton::clicked, this, &CostLegend::retryRequested);
    hide();
}

void CostLegend::showScale(const CostColors& costs)
{
    m_costs = costs;
    m_text.clear();
    m_retry->hide();
    const QString about = costScaleText(costs);
    setToolTip(folded(about));
    setAccessibleName(tr("Scale of colors, from %1 to %2. %3").arg(costLowText(costs), costHighText(costs), about));
    show();
    update();
}

void CostLegend::showText(const QString& text, bool canRetry)
{
    m_costs.reset();
    m_text = text;
    m_retry->setVisible(canRetry);
    setToolTip(folded(text));
    setAccessibleName(text);
    show();
    update();
}

void CostLegend::resizeEvent(QResizeEvent*)
{
    const QSize size = m_retry->sizeHint();
    m_retry->setGeometry(std::max(0, width() - size.width() - kLinePad), (height() - size.height()) / 2, size.width(),
                         size.height());
}

QSize CostLegend::sizeHint() const
{
    return {400, std::max(kLineHeight, fontMetrics().height() + 8)};
}

QSize CostLegend::minimumSizeHint() const
{
    return {0, sizeHint().height()};
}

void CostLegend::paintEvent(QPaintEvent*)
{
    QPainter painter(this);
    const Theme& theme = currentTheme();
    painter.fillRect(rect(), theme.panel);
    painter.fillRect(QRect(0, height() - 1, width(), 1), theme.line);
    QRectF room = QRectF(rect()).adjusted(kLinePad, 0, -kLinePad, 0);
    if (m_costs) {
        paintCostLegend(painter, room, *m_costs, theme, font());
        return;
    }
    if (!m_retry->isHidden())
        room.setRight(m_retry->geometry().left() - 8);
    painter.setPen(theme.dim);
    painter.drawText(room, Qt::AlignLeft | Qt::AlignVCenter, elidedWords(m_text, fontMetrics(), room.width()));
}

} // namespace sunder

#include "moc_cost_legend.cpp"
