#pragma once

#include <QTreeView>

#include <vector>

namespace sunder {

/// Distributes `width` among columns with the given `wanted` widths. Spare width is divided equally; missing width is taken from
/// the widest columns.
std::vector<int> columnShares(std::vector<int> wanted, int width);

/// A table that distributes its width by the content of the visible rows.
class SharingTable final : public QTreeView {
    Q_OBJECT

public:
    explicit SharingTable(QWidget* parent = nullptr);
    void shareColumns();

protected:
    void resizeEvent(QResizeEvent* event) override;
};

} // namespace sunder
