#pragma once

#include <QTreeView>

#include <vector>

namespace sunder {

/// Widths of columns that would like `wanted` in `width`: what is left over goes to all alike, what is missing is taken
/// from the widest.
std::vector<int> columnShares(std::vector<int> wanted, int width);

/// A table whose columns share its width by what is in the rows in sight.
class SharingTable final : public QTreeView {
    Q_OBJECT

public:
    explicit SharingTable(QWidget* parent = nullptr);
    void shareColumns();

protected:
    void resizeEvent(QResizeEvent* event) override;
};

} // namespace sunder
