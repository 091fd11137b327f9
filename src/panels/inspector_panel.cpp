#include "panels/inspector_panel.h"

#include "models/inspector_model.h"
#include "models/name_delegate.h"
#include "panels/ui_inspector_panel.h"

#include <QClipboard>
#include <QGuiApplication>
#include <QHeaderView>
#include <QShortcut>

namespace sunder {
namespace {
constexpr int kNameWidth = 84;
} // namespace

InspectorPanel::InspectorPanel(Document& document, QWidget* parent)
    : QWidget(parent), m_document(document), m_model(new InspectorModel(this)), m_ui(std::make_unique<Ui::InspectorPanel>())
{
    m_ui->setupUi(this);
    setAttribute(Qt::WA_StyledBackground);
    m_ui->view->setModel(m_model);
    m_ui->view->setItemDelegate(new NameDelegate(m_ui->view));
    m_ui->view->header()->setSectionResizeMode(0, QHeaderView::Fixed);
    m_ui->view->setColumnWidth(0, kNameWidth);
    connect(m_ui->view, &QTreeView::activated, this, &InspectorPanel::follow);
    connect(m_ui->view, &QTreeView::clicked, this, [this](const QModelIndex& index) {
        const Property* line = m_model->property(index);
        if (line != nullptr && line->link.node)
            follow(index);
    });
    auto* copyKey = new QShortcut(QKeySequence::Copy, m_ui->view);
    copyKey->setContext(Qt::WidgetShortcut);
    connect(copyKey, &QShortcut::activated, this, &InspectorPanel::copy);

    connect(&document, &Document::changed, this, [this](Changes what) {
        if (what & (Change::selection | Change::tags | Change::program | Change::sizes))
            refresh();
    });
    refresh();
}

InspectorPanel::~InspectorPanel() = default;

QTreeView& InspectorPanel::view()
{
    return *m_ui->view;
}

bool InspectorPanel::isEmpty() const
{
    return m_model->rowCount() == 0;
}

void InspectorPanel::refresh()
{
    m_model->setProperties(inspect(m_document));
    const bool any = m_model->rowCount() > 0;
    m_ui->view->setVisible(any);
    emit emptyChanged(!any);
    m_ui->empty->setVisible(!any);
}

void InspectorPanel::follow(const QModelIndex& index)
{
    const Property* line = m_model->property(index);
    if (line == nullptr)
        return;
    if (!line->link.node) {
        m_ui->view->setExpanded(index.siblingAtColumn(0), !m_ui->view->isExpanded(index.siblingAtColumn(0)));
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
    if (const Property* line = m_model->property(m_ui->view->currentIndex()))
        QGuiApplication::clipboard()->setText(line->value);
}

} // namespace sunder

#include "moc_inspector_panel.cpp"
