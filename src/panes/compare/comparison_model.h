#pragma once

#include "canvas/picture_style.h"
#include "document/runs/compare_runs.h"

#include <QAbstractItemModel>

#include <array>
#include <optional>

namespace sunder {

/// What two runs differ in, as rows under headings: totals of cuts, moved ops (by the parts, modules or groups that they went between, the
/// ops below); then parts and devices of cuts, modules of hierarchies, groups and sizes of searches for what repeats.
class ComparisonModel final : public QAbstractItemModel {
    Q_OBJECT

public:
    enum Column { WhatColumn, BeforeColumn, AfterColumn, ChangeColumn, ColumnCount };

    explicit ComparisonModel(QObject* parent = nullptr) : QAbstractItemModel(parent) {}

    /// Null shows nothing. `before` and `after`: how the parts of both cuts look, by the order of their tags.
    void setComparison(SnapshotPtr source, RunComparisonPtr comparison, std::vector<TagLook> before, std::vector<TagLook> after);
    /// The ops that a row stands for, in graph order; empty where it stands for none.
    [[nodiscard]] std::vector<NodeId> nodesOf(const QModelIndex& index) const;

    [[nodiscard]] QModelIndex index(int row, int column, const QModelIndex& parent = {}) const override;
    [[nodiscard]] QModelIndex parent(const QModelIndex& index) const override;
    [[nodiscard]] int rowCount(const QModelIndex& parent = {}) const override;
    [[nodiscard]] int columnCount(const QModelIndex& parent = {}) const override;
    [[nodiscard]] QVariant data(const QModelIndex& index, int role) const override;
    [[nodiscard]] QVariant headerData(int section, Qt::Orientation orientation, int role) const override;

private:
    struct Row {
        QString what;
        QString before;
        QString after;
        QString change;
        int worse = 0; ///< +1: more than before, −1: less
        NodeId node = {}; ///< of a row that is one op
        std::array<std::optional<TagStyle>, 3> swatches = {}; ///< in front of the first three columns
        std::int32_t parent = -1;
        int place = 0; ///< among its parent's children
        std::vector<std::int32_t> children = {};
    };

    std::int32_t add(std::int32_t parent, Row row);
    void addTotals(const CutRunComparison& made);
    void addMoves();
    void addParts(const CutComparison& cuts);
    void addDevices(const std::vector<DeviceChange>& devices);
    void addModules(const ModuleComparison& modules);
    void addGroups(const RegionRunComparison& search);
    /// "stage0", "stage0 → stage1" when they are called differently.
    [[nodiscard]] QString pairName(const PartPair& pair) const;
    [[nodiscard]] static std::optional<TagStyle> styleOf(const std::vector<TagLook>& looks, std::int32_t part);
    [[nodiscard]] QString partName(const std::vector<TagLook>& looks, std::int32_t part) const;
    [[nodiscard]] const Row& row(const QModelIndex& index) const { return m_rows[static_cast<std::size_t>(index.internalId())]; }

    SnapshotPtr m_source;
    RunComparisonPtr m_comparison;
    std::vector<TagLook> m_before;
    std::vector<TagLook> m_after;
    QString m_nowhere; ///< what an op is in that is in no part
    std::vector<Row> m_rows;
    std::vector<std::int32_t> m_tops;
    std::int32_t m_moves = -1; ///< row of the heading over the moves
    std::vector<std::vector<NodeId>> m_moved; ///< a group of moves, in graph order
};

} // namespace sunder
