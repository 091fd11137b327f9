#pragma once

#include "document/runs/cut_measure.h"

#include <QAbstractTableModel>

namespace sunder {

/// A value at the boundary of a part.
struct TensorRow {
    NodeId node;
    bool isKnown = true;
    QString way; ///< "from stage0", "to stage2"; empty in an edge, where it is implied
};

/// A table of values: name, shape, dtype, bytes and, for a part's boundary, source or target. Rows can be dragged onto a part to
/// move their producers.
class TensorModel final : public QAbstractTableModel {
    Q_OBJECT

public:
    enum Column { NameColumn, ShapeColumn, DtypeColumn, BytesColumn, WayColumn, ColumnCount };

    explicit TensorModel(QObject* parent = nullptr);

    /// The rows refer to nodes of `source`.
    void setRows(SnapshotPtr source, std::vector<TensorRow> rows);
    [[nodiscard]] NodeId node(int row) const { return m_rows[static_cast<std::size_t>(row)].node; }
    [[nodiscard]] bool hasWays() const;

    [[nodiscard]] int rowCount(const QModelIndex& parent = {}) const override;
    [[nodiscard]] int columnCount(const QModelIndex& parent = {}) const override;
    [[nodiscard]] QVariant data(const QModelIndex& index, int role) const override;
    [[nodiscard]] QVariant headerData(int section, Qt::Orientation orientation, int role) const override;
    [[nodiscard]] Qt::ItemFlags flags(const QModelIndex& index) const override;
    [[nodiscard]] QStringList mimeTypes() const override;
    [[nodiscard]] QMimeData* mimeData(const QModelIndexList& indexes) const override;

private:
    SnapshotPtr m_source;
    std::vector<TensorRow> m_rows;
};

/// Returns the values of an edge.
std::vector<TensorRow> rowsOf(const CutEdge& cutEdge);
/// Returns the ops of a part that have inputs from other parts, or consumers there (`leaves`), as far as the measure lists them.
std::vector<TensorRow> edgeRowsOf(const CutMeasure& measure, std::int32_t part, bool leaves);
/// Returns a row per consuming part of a shared value.
std::vector<TensorRow> readerRowsOf(const CutMeasure& measure, NodeId shared);
/// Returns the shared values of a part: inputs, then outputs.
std::vector<TensorRow> sharedRowsOf(const CutMeasure& measure, std::int32_t part);
/// Returns the values at the boundary of a part: inputs, then outputs.
std::vector<TensorRow> boundaryRowsOf(const CutMeasure& measure, std::int32_t part);

} // namespace sunder
