#pragma once

#include "models/support_cut.h"

#include <QAbstractTableModel>

#include <vector>

namespace sunder {

/// The operators, classes, or modules of a model, with ticks for those that the accelerator supports.
class SupportOpsModel final : public QAbstractTableModel {
    Q_OBJECT

public:
    enum Column { NameColumn, OpsColumn, DtypesColumn, BytesColumn, ColumnCount };
    static constexpr int kSortRole = Qt::UserRole + 1;

    using QAbstractTableModel::QAbstractTableModel;
    /// Shows a list of a cut; null: no rows.
    void setCut(SupportCutPtr cut, SupportList list);

    [[nodiscard]] int rowCount(const QModelIndex& parent = {}) const override;
    [[nodiscard]] int columnCount(const QModelIndex& parent = {}) const override;
    [[nodiscard]] Qt::ItemFlags flags(const QModelIndex& index) const override;
    [[nodiscard]] QVariant data(const QModelIndex& index, int role) const override;
    [[nodiscard]] QVariant headerData(int section, Qt::Orientation orientation, int role) const override;
    /// Sets ticks only, which the next cut confirms.
    bool setData(const QModelIndex& index, const QVariant& value, int role) override;

signals:
    void ticked(int row, bool isSupported);

private:
    [[nodiscard]] QString cell(const SupportEntry& entry, int column) const;
    [[nodiscard]] QString tip(const SupportEntry& entry, int column) const;
    [[nodiscard]] std::vector<Qt::CheckState> statesOf(const SupportCut& cut) const;

    SupportCutPtr m_cut;
    SupportList m_list = SupportList::operators;
    std::vector<Qt::CheckState> m_states; ///< per row
};

} // namespace sunder
