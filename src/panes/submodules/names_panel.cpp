#include "panes/submodules/names_panel.h"

#include "document/text.h"
#include "models/name_delegate.h"
#include "models/tag_style_of.h"
#include "panes/submodules/ui_names_panel.h"
#include "support/format.h"
#include "text/amounts.h"

#include <QFontDatabase>
#include <QHeaderView>
#include <algorithm>

namespace sunder {
namespace {

char lower(char c)
{
    return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
}

bool contains(std::string_view text, std::string_view foldedPart)
{
    return std::search(text.begin(), text.end(), foldedPart.begin(), foldedPart.end(),
                       [](char a, char b) { return lower(a) == b; })
        != text.end();
}

QString kindText(NameKind kind)
{
    switch (kind) {
    case NameKind::op: return QObject::tr("op");
    case NameKind::input: return QObject::tr("input, output");
    case NameKind::tensor: return QObject::tr("parameter");
    case NameKind::module: return QObject::tr("module");
    case NameKind::boundary: return QObject::tr("boundary");
    }
    return {};
}

} // namespace

void NameModel::show(std::shared_ptr<const NameTable> table, std::int32_t part, std::vector<InternedString> names)
{
    beginResetModel();
    m_table = std::move(table);
    m_part = part;
    m_names = std::move(names);
    choose();
    endResetModel();
}

void NameModel::setFilter(const QString& text)
{
    std::string filter = text.trimmed().toStdString();
    std::transform(filter.begin(), filter.end(), filter.begin(), lower);
    if (filter == m_filter)
        return;
    beginResetModel();
    m_filter = std::move(filter);
    choose();
    endResetModel();
}

void NameModel::choose()
{
    m_rows.clear();
    m_total = 0;
    if (!m_table)
        return;
    for (std::size_t i = 0; i < m_table->size(); ++i) {
        const NameRow& row = (*m_table)[i];
        if (m_part != kAllParts && row.part != m_part)
            continue;
        ++m_total;
        if (m_filter.empty() || contains(row.source.view(), m_filter) || contains(row.result.view(), m_filter))
            m_rows.push_back(static_cast<std::uint32_t>(i));
    }
}

const NameRow& NameModel::row(const QModelIndex& index) const
{
    return (*m_table)[m_rows[static_cast<std::size_t>(index.row())]];
}

QModelIndex NameModel::indexOf(NodeRef node) const
{
    const auto at = std::find_if(m_rows.begin(), m_rows.end(), [&](std::uint32_t row) { return (*m_table)[row].node == node; });
    return at == m_rows.end() ? QModelIndex() : index(static_cast<int>(at - m_rows.begin()), 0);
}

int NameModel::rowCount(const QModelIndex& parent) const
{
    return parent.isValid() ? 0 : static_cast<int>(m_rows.size());
}

int NameModel::columnCount(const QModelIndex& parent) const
{
    return parent.isValid() ? 0 : ColumnCount;
}

QString NameModel::cell(const NameRow& row, int column) const
{
    switch (column) {
    case SourceColumn: return text(row.source);
    case ResultColumn: return text(row.result);
    case KindColumn: return kindText(row.kind);
    case PartColumn: return row.part < 0 ? tr("main graph") : text(m_names[static_cast<std::size_t>(row.part)]);
    default: return {};
    }
}

QVariant NameModel::data(const QModelIndex& index, int role) const
{
    if (!checkIndex(index, CheckIndexOption::IndexIsValid))
        return {};
    const NameRow& at = row(index);
    switch (role) {
    case Qt::DisplayRole: return cell(at, index.column());
    case Qt::AccessibleTextRole:
        return index.column() == SourceColumn
            ? tr("%1 is %2 in %3, %4").arg(text(at.source), text(at.result), cell(at, PartColumn), cell(at, KindColumn))
            : cell(at, index.column());
    case Qt::ToolTipRole:
        return folded(tr("In the source: %1\nIn %2: %3 (%4)")
                          .arg(text(at.source), brief(cell(at, PartColumn)), text(at.result), cell(at, KindColumn)));
    case Qt::FontRole:
        if (index.column() <= ResultColumn) {
            QFont mono = QFontDatabase::systemFont(QFontDatabase::FixedFont);
            mono.setPointSizeF(8.5);
            return mono;
        }
        return {};
    case Qt::ForegroundRole:
        return index.column() > ResultColumn || (index.column() == ResultColumn && at.source == at.result)
            ? QVariant(currentTheme().dim)
            : QVariant();
    default: return {};
    }
}

QVariant NameModel::headerData(int section, Qt::Orientation orientation, int role) const
{
    const QString titles[] = {tr("In the source"), tr("In the result"), tr("Kind"), tr("Part")};
    return orientation == Qt::Horizontal && role == Qt::DisplayRole && section >= 0 && section < ColumnCount
        ? QVariant(titles[section])
        : QVariant();
}

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
