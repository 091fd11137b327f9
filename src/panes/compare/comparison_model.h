#pragma once

#include "canvas/picture_style.h"
#include "document/runs/compare_runs.h"

#include <QAbstractItemModel>

#include <array>
#include <optional>

namespace sunder {

struct CutTimesFigures;

/// The differences between two runs, as rows under headings: totals of cuts; moved ops, grouped by the parts, modules, or regions
/// that they moved between; then loads, step, parts, and devices of cuts, modules of hierarchies, and groups and sizes of searches for repeated
/// regions.
class ComparisonModel final : public QAbstractItemModel {
    Q_OBJECT

public:
    enum Column { WhatColumn, BeforeColumn, AfterColumn, ChangeColumn, ColumnCount };

    explicit ComparisonModel(QObject* parent = nullptr) : QAbstractItemModel(parent) {}

    /// Sets the comparison; null clears the model. `before` and `after` are the looks of the parts of each run, in the order of
    /// their tags.
    void setComparison(SnapshotPtr source, RunComparisonPtr comparison, std::vector<TagLook> before, std::vector<TagLook> after);
    /// Sets the times of the compared cuts. No effect if no cuts are compared.
    void setTimes(const CutTimesFigures& times);
    /// Returns the ops of a row, in graph order; empty for rows without ops.
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
        int worse = 0; ///< +1: increased, −1: decreased
        NodeId node = {}; ///< if the row is a single op
        std::array<std::optional<TagStyle>, 3> swatches = {}; ///< color swatches of the first three columns
        QString tip = {}; ///< instead of that of its figures
        std::int32_t parent = -1;
        int place = 0; ///< index among the parent's children
        std::vector<std::int32_t> children = {};
    };

    std::int32_t add(std::int32_t parent, Row row);
    void addTotals(const CutRunComparison& made);
    void addMoves();
    void addTimes();
    void replaceChildren(std::int32_t heading, std::vector<Row> rows);
    [[nodiscard]] std::vector<Row> loadRows(const CutTimesFigures& times) const;
    [[nodiscard]] std::vector<Row> stepRows(const CutTimesFigures& times) const;
    void addParts(const CutComparison& cuts);
    void addDevices(const std::vector<DeviceChange>& devices);
    void addModules(const ModuleComparison& modules);
    void addGroups(const RegionRunComparison& search);
    /// Returns "stage0", or "stage0 → stage1" if the names differ.
    [[nodiscard]] QString pairName(const PartPair& pair) const;
    [[nodiscard]] static std::optional<TagStyle> styleOf(const std::vector<TagLook>& looks, std::int32_t part);
    [[nodiscard]] QString partName(const std::vector<TagLook>& looks, std::int32_t part) const;
    [[nodiscard]] const Row& row(const QModelIndex& index) const { return m_rows[static_cast<std::size_t>(index.internalId())]; }

    SnapshotPtr m_source;
    RunComparisonPtr m_comparison;
    std::vector<TagLook> m_before;
    std::vector<TagLook> m_after;
    QString m_nowhere; ///< label for ops outside all parts
    std::vector<Row> m_rows;
    std::vector<std::int32_t> m_tops;
    std::int32_t m_moves = -1; ///< row of the heading above the moves
    std::int32_t m_loads = -1; ///< likewise, loads; −1 unless cuts are compared
    std::int32_t m_step = -1;
    std::vector<std::vector<NodeId>> m_moved; ///< per group of moves, in graph order
};

} // namespace sunder
