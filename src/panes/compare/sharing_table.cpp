#include "panes/compare/sharing_table.h"

#include "models/name_delegate.h"

#include <QHeaderView>

#include <algorithm>

namespace sunder {

std::vector<int> columnShares(std::vector<int> wanted, int width)
{
    const auto count = static_cast<int>(wanted.size());
    int total = 0;
    for (const int column : wanted)
        total += column;
    if (total <= width) {
        for (int& column : wanted)
            column += (width - total) / std::max(1, count);
        return wanted;
    }
    // Find the maximum column width: narrower columns keep their wanted width, wider ones share the rest equally.
    std::vector<int> sorted = wanted;
    std::ranges::sort(sorted);
    int rest = width;
    int most = 0;
    for (int i = 0; i < count; ++i) {
        most = rest / (count - i);
        if (sorted[static_cast<std::size_t>(i)] > most)
            break;
        rest -= sorted[static_cast<std::size_t>(i)];
    }
    for (int& column : wanted)
        column = std::min(column, most);
    return wanted;
}

SharingTable::SharingTable(QWidget* parent) : QTreeView(parent)
{
    setItemDelegate(new NameDelegate(this));
    header()->setStretchLastSection(true);
    header()->setMinimumSectionSize(48);
    connect(this, &QTreeView::expanded, this, &SharingTable::measureColumns);
    connect(this, &QTreeView::collapsed, this, &SharingTable::measureColumns);
}

/// Measures all expanded rows: sizeHintForColumn() measures only rows in view, and names would be cut after scrolling.
void SharingTable::measureColumns()
{
    constexpr int kGap = 12;
    constexpr int kMeasured = 400; ///< rows
    m_wanted.clear();
    for (int column = 0; column < header()->count(); ++column)
        m_wanted.push_back(header()->sectionSizeHint(column) + kGap);
    QStyleOptionViewItem option;
    initViewItemOption(&option);
    int measured = 0;
    for (QModelIndex row = model()->index(0, 0); row.isValid() && measured < kMeasured; row = indexBelow(row), ++measured) {
        int indent = rootIsDecorated() ? indentation() : 0;
        for (QModelIndex around = row.parent(); around.isValid(); around = around.parent())
            indent += indentation();
        for (int column = 0; column < header()->count(); ++column) {
            const QModelIndex cell = row.siblingAtColumn(column);
            const int width = itemDelegateForIndex(cell)->sizeHint(option, cell).width() + (column == 0 ? indent : 0) + kGap;
            m_wanted[static_cast<std::size_t>(column)] = std::max(m_wanted[static_cast<std::size_t>(column)], width);
        }
    }
    shareColumns();
}

void SharingTable::shareColumns()
{
    const std::vector<int> shares = columnShares(m_wanted, viewport()->width());
    for (std::size_t column = 0; column < shares.size(); ++column)
        header()->resizeSection(static_cast<int>(column), shares[column]);
}

void SharingTable::resizeEvent(QResizeEvent* event)
{
    QTreeView::resizeEvent(event);
    shareColumns();
}

} // namespace sunder

#include "moc_sharing_table.cpp"
