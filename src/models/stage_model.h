#pragma once

#include "tagging/automatic_tags.h"

#include <QAbstractTableModel>

#include <vector>

namespace sunder {

/// The stages of proposed tags, one per row.
class StageModel final : public QAbstractTableModel {
    Q_OBJECT

public:
    enum Column { NameColumn, OpsColumn, WeightsColumn, UsedColumn, CrossingColumn, BeginColumn, ColumnCount };

    using QAbstractTableModel::QAbstractTableModel;
    void setStages(std::vector<ProposedStage> stages);

    [[nodiscard]] int rowCount(const QModelIndex& parent = {}) const override;
    [[nodiscard]] int columnCount(const QModelIndex& parent = {}) const override;
    [[nodiscard]] QVariant data(const QModelIndex& index, int role) const override;
    [[nodiscard]] QVariant headerData(int section, Qt::Orientation orientation, int role) const override;

private:
    std::vector<ProposedStage> m_stages;
};

} // namespace sunder
