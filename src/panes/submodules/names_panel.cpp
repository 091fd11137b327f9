#include "panes/submodules/names_panel.h"

#include "document/text.h"
#include "models/name_delegate.h"
#include "panes/submodules/ui_names_panel.h"
#include "support/format.h"
#include "text/amounts.h"

#include <QHeaderView>

namespace sunder {

NamesPanel::NamesPanel(QWidget* parent) : QWidget(parent), m_model(new NameModel(this)), m_ui(std::make_unique<Ui::NamesPanel>())
{
    m_ui->setupUi(this);
    setAttribute(Qt::WA_StyledBackground);
    m_ui->rows->setModel(m_model);
    m_ui->rows->setItemDelegate(new NameDelegate(m_ui->rows));
    connect(m_ui->filter, &QLineEdit::textChanged, this, [this](const QString& text) {
        m_model->setFilter(text);
        showCount();
    });
    connect(m_ui->rows->selectionModel(), &QItemSelectionModel::currentChanged, this, &NamesPanel::pick);
    connect(m_ui->rows, &QTreeView::activated, this, &NamesPanel::pick);
}

NamesPanel::~NamesPanel() = default;

QTreeView& NamesPanel::view()
{
    return *m_ui->rows;
}

QLineEdit& NamesPanel::filterField()
{
    return *m_ui->filter;
}

void NamesPanel::show(std::shared_ptr<const NameTable> table, std::int32_t part, const std::vector<InternedString>& names)
{
    m_showing = true;
    m_model->show(std::move(table), part, names);
    m_showing = false;
    m_isOfAll = part == NameModel::kAllParts;
    shareWidth();
    QHeaderView& header = *m_ui->rows->header();
    header.setSectionResizeMode(NameModel::SourceColumn, QHeaderView::Stretch);
    header.setSectionResizeMode(NameModel::ResultColumn, QHeaderView::Stretch);
    header.setSectionResizeMode(NameModel::KindColumn, QHeaderView::Fixed);
    header.setSectionResizeMode(NameModel::PartColumn, QHeaderView::Fixed);
    header.resizeSection(NameModel::KindColumn, fontMetrics().horizontalAdvance(tr("input, output")) + 24);
    header.resizeSection(NameModel::PartColumn, fontMetrics().horizontalAdvance(tr("main graph")) + 32);
    showCount();
}

/// A tile only has room for the two names; tooltips show the rest.
void NamesPanel::shareWidth()
{
    constexpr int kRoomForKind = 360;
    constexpr int kRoomForPart = 460;
    m_ui->rows->setColumnHidden(NameModel::KindColumn, width() < kRoomForKind);
    m_ui->rows->setColumnHidden(NameModel::PartColumn, !m_isOfAll || width() < kRoomForPart);
}

void NamesPanel::resizeEvent(QResizeEvent* event)
{
    QWidget::resizeEvent(event);
    shareWidth();
}

void NamesPanel::showCount()
{
    const auto shown = static_cast<std::size_t>(m_model->rowCount());
    const bool hasNone = shown == 0 && m_model->totalRows() > 0;
    m_ui->rows->setVisible(!hasNone);
    m_ui->nothing->setVisible(hasNone);
    m_ui->count->setText(shown == m_model->totalRows()
                             ? countText(shown, "name")
                             : tr("%1 of %2").arg(text(formatCount(shown)), text(formatCount(m_model->totalRows()))));
}

void NamesPanel::showNode(NodeRef node)
{
    const QModelIndex at = m_model->indexOf(node);
    if (!at.isValid() || (m_ui->rows->currentIndex().isValid() && m_model->row(m_ui->rows->currentIndex()).node == node))
        return;
    m_showing = true;
    m_ui->rows->setCurrentIndex(at);
    m_ui->rows->scrollTo(at, QAbstractItemView::EnsureVisible);
    m_showing = false;
}

void NamesPanel::pick(const QModelIndex& index)
{
    if (!m_showing && index.isValid() && m_model->row(index).node.node)
        emit nodePicked(m_model->row(index).node);
}

} // namespace sunder

#include "moc_names_panel.cpp"
