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
    connect(this, &QTreeView::expanded, this, &SharingTable::shareColumns);
    connect(this, &QTreeView::collapsed, this, &SharingTable::shareColumns);
}

void SharingTable::shareColumns()
{
    constexpr int kGap = 12;
    std::vector<int> wanted;
    for (int column = 0; column < header()->count(); ++column)
        wanted.push_back(std::max(sizeHintForColumn(column), header()->sectionSizeHint(column)) + kGap);
    const std::vector<int> shares = columnShares(std::move(wanted), viewport()->width());
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
