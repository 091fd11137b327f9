#include "panes/pane.h"

#include <QVBoxLayout>

namespace sunder {

Pane::Pane(const QString& title, QWidget* parent)
    : QWidget(parent), m_title(title), m_header(new PaneHeader(title, this)), m_column(new QVBoxLayout(this))
{
    m_column->setContentsMargins(0, 0, 0, 0);
    m_column->setSpacing(0);
    m_column->addWidget(m_header);
    setMinimumSize(200, 120);
    connect(m_header, &PaneHeader::doubleClicked, this, &Pane::maximizeRequested);
}

void Pane::addExportButton(const QString& tip)
{
    connect(m_header->addButton(QStringLiteral("export"), tip), &QToolButton::clicked, this, &Pane::exportRequested);
}

void Pane::addWindowButtons()
{
    connect(m_header->addButton(QStringLiteral("maximize"), tr("Fill the workspace, or go back (double-click the title)")),
            &QToolButton::clicked, this, &Pane::maximizeRequested);
    connect(m_header->addButton(QStringLiteral("close"), tr("Close %1").arg(m_title)), &QToolButton::clicked, this,
            &Pane::closeRequested);
}

} // namespace sunder
