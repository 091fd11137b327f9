#pragma once

#include "document/document.h"

#include <QAbstractTableModel>

namespace sunder {

/// The document's devices as a table: name, what lies on it, memory, speed, bandwidth to the others
/// and to its memory, compute. Cells are edited as people write them, "16 GB";
/// rows can be dragged into another order.
class DeviceModel final : public QAbstractTableModel {
    Q_OBJECT

public:
    enum Column {
        NameColumn,
        LoadColumn,
        MemoryColumn,
        SpeedColumn,
        BandwidthColumn,
        MemorySpeedColumn,
        ComputeColumn,
        ColumnCount
    };
    enum Role {
        UsedShareRole =
            Qt::UserRole, ///< of LoadColumn: used bytes by capacity, above 1 where they are too many; invalid: unknown
        ColorRole,
    };

    explicit DeviceModel(Document& document, QObject* parent = nullptr);

    [[nodiscard]] int rowCount(const QModelIndex& parent = {}) const override;
    [[nodiscard]] int columnCount(const QModelIndex& parent = {}) const override;
    [[nodiscard]] QVariant data(const QModelIndex& index, int role) const override;
    [[nodiscard]] QVariant headerData(int section, Qt::Orientation orientation, int role) const override;
    bool setData(const QModelIndex& index, const QVariant& value, int role) override;
    [[nodiscard]] Qt::ItemFlags flags(const QModelIndex& index) const override;
    [[nodiscard]] Qt::DropActions supportedDropActions() const override { return Qt::MoveAction; }
    [[nodiscard]] QStringList mimeTypes() const override;
    [[nodiscard]] QMimeData* mimeData(const QModelIndexList& indexes) const override;
    bool dropMimeData(const QMimeData* data, Qt::DropAction action, int row, int column, const QModelIndex& parent) override;

    /// Why the cell cannot hold what is typed; empty when it can, and where it only lacks a unit, which is asked for.
    [[nodiscard]] QString refusalOf(const QModelIndex& index, const QString& typed) const;

    /// Adds one at the end: 16 GB, or as the last one. Returns its row.
    int add();
    void remove(int row);
    void move(int from, int to);
    /// Adds devices behind `row` (−1: at the end).
    void insert(std::vector<Device> devices, int row, const QString& undoText);
    void recolor(int row, const QColor& color);

signals:
    /// What was typed was refused, with the reason.
    void refused(const QString& why);
    /// It was refused because it has no unit: setData() is to be told it with one.
    void unitWanted(const QModelIndex& at, const QString& typed);

private:
    [[nodiscard]] const DeviceLoad* loadOf(std::size_t row) const;
    [[nodiscard]] QString loadText(std::size_t row) const;

    Document& m_document;
    std::vector<Device> m_devices; ///< a copy: the document's may change before we have reset
};

/// How a device is drawn: in its own colour, or the theme's by place.
QColor deviceColor(const Device& device, std::size_t place);

} // namespace sunder
