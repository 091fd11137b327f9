#include "panes/breadcrumbs.h"

#include "models/look.h"
#include "text/shown_text.h"

#include <QHBoxLayout>
#include <QLabel>
#include <QToolButton>

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
    for (int i = 0; i < parts.size(); ++i) {
        if (i > 0) {
            auto* arrow = new QLabel(QStringLiteral("›"), this);
            setLook(*arrow, QStringLiteral("hint"));
            m_row->addWidget(arrow);
        }
        auto* part = new QToolButton(this);
        setLook(*part, QStringLiteral("crumb"));
        part->setText(caption(parts[i]));
        part->setToolTip(i == 0 ? tr("Show the whole graph") : folded(tr("Show %1").arg(parts[i])));
        connect(part, &QToolButton::clicked, this, [this, i] { emit chosen(i); });
        m_row->addWidget(part);
    }
    m_row->addStretch(1);
}

} // namespace sunder
