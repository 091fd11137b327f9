#include "panels/inspector_panel.h"

#include "models/inspector_model.h"
#include "models/look.h"
#include "panels/section_header.h"

#include <QClipboard>
#include <QGuiApplication>
#include <QHeaderView>
#include <QLabel>
#include <QShortcut>
#include <QVBoxLayout>

namespace sunder {

InspectorPanel::InspectorPanel(Document& document, QWidget* parent)
    : QWidget(parent), m_document(document), m_model(new InspectorModel(this)), m_view(new QTreeView(this)),
      m_empty(new QLabel(tr("Select an op or a module to see what it is, what it reads and who uses it."), this))
{
    setObjectName(QStringLiteral("panel"));
    setAttribute(Qt::WA_StyledBackground);
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(0);
    column->addWidget(new SectionHeader(tr("Inspector"), this));
    column->addWidget(m_view);
    column->addWidget(m_empty, 1);
    setLook(*m_empty, QStringLiteral("hint"));
    m_empty->setWordWrap(true);
    m_empty->setContentsMargins(12, 4, 12, 4);
    m_empty->setAlignment(Qt::AlignTop | Qt::AlignLeft);

    m_view->setModel(m_model);
    m_view->setHeaderHidden(true);
    m_view->setIndentation(12);
    m_view->setUniformRowHeights(true);
    m_view->setIconSize({10, 10});
    m_view->setTextElideMode(Qt::ElideMiddle);
    m_view->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    m_view->setAccessibleName(tr("Properties of the selection"));
    m_view->header()->setSectionResizeMode(0, QHeaderView::Fixed);
    m_view->header()->setMinimumSectionSize(40);
    m_view->setColumnWidth(0, 84);
    m_view->setExpandsOnDoubleClick(false);
    connect(m_view, &QTreeView::activated, this, &InspectorPanel::follow);
    auto* copyKey = new QShortcut(QKeySequence::Copy, m_view);
    copyKey->setContext(Qt::WidgetShortcut);
    connect(copyKey, &QShortcut::activated, this, &InspectorPanel::copy);

    connect(&document, &Document::changed, this, [this](Changes what) {
        if (what & (Change::selection | Change::tags | Change::program))
            refresh();
    });
    refresh();
}

void InspectorPanel::refresh()
{
    m_model->setProperties(inspect(m_document));
    const bool any = m_model->rowCount() > 0;
    m_view->setVisible(any);
    m_empty->setVisible(!any);
}

void InspectorPanel::follow(const QModelIndex& index)
{
    const Property* line = m_model->property(index);
    if (line == nullptr)
        return;
    if (!line->link.node) {
        m_view->setExpanded(index.siblingAtColumn(0), !m_view->isExpanded(index.siblingAtColumn(0)));
        return;
    }
    const Property copy = *line; // selecting replaces the lines
    if (copy.linkRun != 0)
        m_document.selectIn(copy.linkRun, {copy.link});
    else
        m_document.select({copy.link.node});
    m_document.reveal();
}

void InspectorPanel::copy()
{
    if (const Property* line = m_model->property(m_view->currentIndex()))
        QGuiApplication::clipboard()->setText(line->value);
}

} // namespace sunder
