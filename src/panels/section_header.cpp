#include "panels/section_header.h"

#include "models/look.h"
#include "models/themed_icon.h"

#include <QHBoxLayout>

namespace sunder {

SectionHeader::SectionHeader(const QString& title, QWidget* parent)
    : QWidget(parent), m_row(new QHBoxLayout(this)), m_hint(new QLabel(this))
{
    m_row->setContentsMargins(12, 8, 8, 4);
    m_row->setSpacing(4);
    auto* name = new QLabel(title, this);
    setLook(*name, QStringLiteral("sectionTitle"));
    setLook(*m_hint, QStringLiteral("hint"));
    m_hint->setAlignment(Qt::AlignRight | Qt::AlignVCenter);
    m_row->addWidget(name);
    m_row->addStretch(1);
    m_row->addWidget(m_hint);
}

QToolButton* SectionHeader::addButton(const QString& icon, const QString& tip)
{
    auto* button = new QToolButton(this);
    button->setIcon(themedIcon(icon));
    button->setIconSize({14, 14});
    button->setToolTip(tip);
    button->setAccessibleName(tip.section(QLatin1Char('\n'), 0, 0));
    m_row->addWidget(button);
    return button;
}

void SectionHeader::addWidget(QWidget* widget)
{
    m_row->addWidget(widget);
}

} // namespace sunder
