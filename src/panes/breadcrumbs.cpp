#include "panes/breadcrumbs.h"

#include "models/look.h"
#include "text/elided_name.h"
#include "text/shown_text.h"

#include <QHBoxLayout>
#include <QLabel>
#include <QToolButton>

#include <algorithm>

namespace sunder {

Breadcrumbs::Breadcrumbs(QWidget* parent) : QWidget(parent), m_row(new QHBoxLayout(this))
{
    m_row->setContentsMargins(0, 0, 0, 0);
    m_row->setSpacing(0);
    setSizePolicy(QSizePolicy::Ignored, QSizePolicy::Preferred);
}

void Breadcrumbs::setParts(const QStringList& parts)
{
    if (parts == m_parts)
        return;
    m_parts = parts;
    while (QLayoutItem* item = m_row->takeAt(0)) {
        if (item->widget() != nullptr) {
            item->widget()->hide();
            item->widget()->deleteLater();
        }
        delete item;
    }
    m_buttons.clear();
    m_arrows.clear();
    for (int i = 0; i < parts.size(); ++i) {
        if (i > 0) {
            auto* arrow = new QLabel(QStringLiteral("›"), this);
            setLook(*arrow, QStringLiteral("hint"));
            m_row->addWidget(arrow);
            m_arrows.push_back(arrow);
        }
        auto* part = new QToolButton(this);
        setLook(*part, QStringLiteral("crumb"));
        part->setText(caption(parts[i]));
        part->setToolTip(i == 0 ? tr("Show the whole graph") : folded(tr("Show %1").arg(parts[i])));
        connect(part, &QToolButton::clicked, this, [this, i] { emit chosen(i); });
        m_row->addWidget(part);
        m_buttons.push_back(part);
    }
    m_row->addStretch(1);
    arrange();
}

void Breadcrumbs::resizeEvent(QResizeEvent* event)
{
    QWidget::resizeEvent(event);
    arrange();
}

/// Shows as many trailing parts as fit. The last part is hidden if less than one word of it fits.
void Breadcrumbs::arrange()
{
    constexpr int kMin = 36;
    int room = width();
    for (std::size_t i = m_buttons.size(); i-- > 0;) {
        QToolButton& part = *m_buttons[i];
        const bool isLast = i + 1 == m_buttons.size();
        const QString whole = caption(m_parts[static_cast<int>(i)]);
        part.setText(whole);
        const int arrow = i > 0 ? m_arrows[i - 1]->sizeHint().width() : 0;
        const int frame = part.sizeHint().width() - part.fontMetrics().horizontalAdvance(whole);
        if (isLast && part.sizeHint().width() > room)
            part.setText(
                caption(elidedName(m_parts[static_cast<int>(i)], QFontMetricsF(part.font()), std::max(0, room - frame))));
        const bool fits = room >= (isLast ? kMin : part.sizeHint().width());
        part.setVisible(fits);
        room = fits ? room - part.sizeHint().width() - arrow : 0;
    }
    for (std::size_t i = 0; i < m_arrows.size(); ++i)
        m_arrows[i]->setVisible(!m_buttons[i]->isHidden());
}

} // namespace sunder

#include "moc_breadcrumbs.cpp"
