#include "panes/pane.h"

#include <QLabel>
#include <QStackedLayout>
#include <QVBoxLayout>

namespace sunder {

Pane::Pane(const QString& title, QWidget* parent)
    : QWidget(parent), m_title(title), m_header(new PaneHeader(title, this)), m_stack(new QStackedLayout),
      m_hint(new QLabel(this))
{
    auto* outer = new QVBoxLayout(this);
    outer->setContentsMargins(0, 0, 0, 0);
    outer->setSpacing(0);
    outer->addWidget(m_header);
    outer->addLayout(m_stack, 1);
    auto* content = new QWidget(this);
    m_column = new QVBoxLayout(content);
    m_column->setContentsMargins(0, 0, 0, 0);
    m_column->setSpacing(0);
    m_stack->addWidget(content);
    m_stack->addWidget(m_hint);
    m_hint->setObjectName(QStringLiteral("hint"));
    m_hint->setWordWrap(true);
    m_hint->setAlignment(Qt::AlignTop | Qt::AlignLeft);
    m_hint->setContentsMargins(12, 12, 12, 12);
    setMinimumSize(200, 120);
    connect(m_header, &PaneHeader::doubleClicked, this, &Pane::maximizeRequested);
}

void Pane::showHint(const QString& hint)
{
    m_hint->setText(hint);
    m_stack->setCurrentIndex(hint.isEmpty() ? 0 : 1);
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
