#include "panes/submodules/names_panel.h"

#include "document/text.h"
#include "models/look.h"
#include "support/format.h"
#include "text/amounts.h"

#include <QHeaderView>
#include <QLabel>
#include <QLineEdit>
#include <QTreeView>
#include <QVBoxLayout>

namespace sunder {

NamesPanel::NamesPanel(QWidget* parent)
    : QWidget(parent), m_model(new NameModel(this)), m_view(new QTreeView(this)), m_filter(new QLineEdit(this)),
      m_count(new QLabel(this))
{
    setObjectName(QStringLiteral("panel"));
    setAttribute(Qt::WA_StyledBackground);
    m_filter->setPlaceholderText(tr("Search names"));
    m_filter->setToolTip(tr("Shows names with this text in them, in the source or here"));
    m_filter->setAccessibleName(tr("Search names"));
    m_filter->setClearButtonEnabled(true);
    setLook(*m_count, QStringLiteral("hint"));
    auto* row = new QHBoxLayout;
    row->setContentsMargins(8, 4, 8, 4);
    row->setSpacing(8);
    row->addWidget(m_filter, 1);
    row->addWidget(m_count);
    m_view->setObjectName(QStringLiteral("rows"));
    m_view->setModel(m_model);
    m_view->setRootIsDecorated(false);
    m_view->setUniformRowHeights(true);
    m_view->setTextElideMode(Qt::ElideMiddle);
    m_view->setFrameShape(QFrame::NoFrame);
    m_view->setAccessibleName(tr("Names in the source and here"));
    m_view->setToolTip(tr("Click or Enter selects the node"));
    m_view->header()->setStretchLastSection(false);
    m_view->header()->setMinimumSectionSize(56);
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(0);
    column->addLayout(row);
    column->addWidget(m_view, 1);
    connect(m_filter, &QLineEdit::textChanged, this, [this](const QString& text) {
        m_model->setFilter(text);
        showCount();
    });
    connect(m_view->selectionModel(), &QItemSelectionModel::currentChanged, this, &NamesPanel::pick);
    connect(m_view, &QTreeView::activated, this, &NamesPanel::pick);
}

void NamesPanel::show(std::shared_ptr<const NameTable> table, std::int32_t part, const std::vector<InternedString>& names)
{
    m_showing = true;
    m_model->show(std::move(table), part, names);
    m_showing = false;
    m_isOfAll = part == NameModel::kAllParts;
    shareWidth();
    QHeaderView& header = *m_view->header();
    header.setSectionResizeMode(NameModel::SourceColumn, QHeaderView::Stretch);
    header.setSectionResizeMode(NameModel::ResultColumn, QHeaderView::Stretch);
    header.setSectionResizeMode(NameModel::KindColumn, QHeaderView::Fixed);
    header.setSectionResizeMode(NameModel::PartColumn, QHeaderView::Fixed);
    header.resizeSection(NameModel::KindColumn, fontMetrics().horizontalAdvance(tr("input, output")) + 24);
    header.resizeSection(NameModel::PartColumn, fontMetrics().horizontalAdvance(tr("main graph")) + 32);
    showCount();
}

/// In a tile there is room for the two names alone; tooltips say the rest.
void NamesPanel::shareWidth()
{
    constexpr int kRoomForKind = 360;
    constexpr int kRoomForPart = 460;
    m_view->setColumnHidden(NameModel::KindColumn, width() < kRoomForKind);
    m_view->setColumnHidden(NameModel::PartColumn, !m_isOfAll || width() < kRoomForPart);
}

void NamesPanel::resizeEvent(QResizeEvent* event)
{
    QWidget::resizeEvent(event);
    shareWidth();
}

void NamesPanel::showCount()
{
    const auto shown = static_cast<std::size_t>(m_model->rowCount());
    m_count->setText(shown == m_model->totalRows()
                         ? countText(shown, "name")
                         : tr("%1 of %2").arg(text(formatCount(shown)), text(formatCount(m_model->totalRows()))));
}

void NamesPanel::showNode(NodeRef node)
{
    const QModelIndex at = m_model->indexOf(node);
    if (!at.isValid() || (m_view->currentIndex().isValid() && m_model->row(m_view->currentIndex()).node == node))
        return;
    m_showing = true;
    m_view->setCurrentIndex(at);
    m_view->scrollTo(at, QAbstractItemView::EnsureVisible);
    m_showing = false;
}

void NamesPanel::pick(const QModelIndex& index)
{
    if (!m_showing && index.isValid() && m_model->row(index).node.node)
        emit nodePicked(m_model->row(index).node);
}

} // namespace sunder
