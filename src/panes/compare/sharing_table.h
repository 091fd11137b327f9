#pragma once

#include <QTreeView>

#include <vector>

namespace sunder {

/// Distributes `width` among columns with the given `wanted` widths. Spare width is divided equally; missing width is taken from
/// the widest columns.
std::vector<int> columnShares(std::vector<int> wanted, int width);

/// A table that distributes its width by the content of the expanded rows.
class SharingTable final : public QTreeView {
    Q_OBJECT

public:
    explicit SharingTable(QWidget* parent = nullptr);
    /// Measures the rows. Called after the model has changed.
    void measureColumns();

protected:
    void resizeEvent(QResizeEvent* event) override;

private:
    void shareColumns();

    std::vector<int> m_wanted; ///< width per column
};

} // namespace sunder
