#pragma once

#include "analysis/device.h"
#include "document/document.h"

#include <QAbstractTableModel>
#include <QString>
#include <span>

namespace sunder {

/// Returns e.g. "Not used by this method: bandwidth and compute of the devices.", with the figures that some devices have; empty if
/// there are none. `usesOwnBandwidth`: the method uses one bandwidth for all devices instead.
QString unusedFigures(std::span<const Device> devices, bool usesOwnBandwidth);

/// The document's devices as a table: name, load, and a column per figure (analysis/device_figure.h). Cells are edited in the usual
/// notation, e.g. "16 GB"; rows can be reordered by dragging.
class DeviceModel final : public QAbstractTableModel {
    Q_OBJECT

public:
    enum Column { NameColumn, LoadColumn, MemoryColumn }; ///< further figures follow
    enum Role {
        UsedShareRole = Qt::UserRole, ///< for LoadColumn: used bytes / capacity, above 1 on overflow; invalid: unknown
        ColorRole,
    };

    /// Returns the column of a figure: "flops_per_s".
    [[nodiscard]] static int columnOf(std::string_view key);
    /// Returns the figure in a column; null for the name and the load.
    [[nodiscard]] static const DeviceFigure* figureIn(int column);
    /// Returns the column of the rates per data type, after the figures.
    [[nodiscard]] static int ratesColumn();
    /// Returns the column of the links, the last one; links are not edited here.
    [[nodiscard]] static int linksColumn() { return ratesColumn() + 1; }
    /// Returns whether a device has a value in a column.
    [[nodiscard]] static bool isStated(const Device& device, int column);

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

    /// Returns why the cell refuses the typed text; empty if it is valid or only lacks a unit, which is asked for.
    [[nodiscard]] QString refusalOf(const QModelIndex& index, const QString& typed) const;

    /// Appends a device with 16 GB, or like the last one. Returns its row.
    int add();
    void remove(int row);
    void move(int from, int to);
    /// Inserts devices after `row` (−1: at the end).
    void insert(std::vector<Device> devices, int row, const QString& undoText);
    void recolor(int row, const QColor& color);

signals:
    /// Emitted with the reason when typed text was refused.
    void refused(const QString& why);
    /// Emitted when typed text was refused because it has no unit; call setData() with one.
    void unitWanted(const QModelIndex& at, const QString& typed);

private:
    [[nodiscard]] const DeviceLoad* loadOf(std::size_t row) const;
    [[nodiscard]] QString loadText(std::size_t row) const;

    Document& m_document;
    std::vector<Device> m_devices; ///< a copy: the document's devices may change before the model is reset
};

/// Returns the color of a device: its own, or a theme color by index.
QColor deviceColor(const Device& device, std::size_t place);

} // namespace sunder
