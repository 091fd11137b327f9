#pragma once

#include "analysis/cut/graph_interface.h"
#include "panes/submodules/part_page.h"

#include <QAbstractItemModel>
#include <QTreeView>
#include <array>

namespace sunder {

/// The interface of a part, in three groups: inputs, outputs, parameters.
class InterfaceModel final : public QAbstractItemModel {
    Q_OBJECT

public:
    enum Column { NameColumn, TypeColumn, BytesColumn, WayColumn, ColumnCount };
    enum Group { InputGroup, OutputGroup, ParameterGroup, GroupCount };

    explicit InterfaceModel(QObject* parent = nullptr) : QAbstractItemModel(parent) {}

    /// Shows another part; a page without an outcome clears the model.
    void show(const PartPage& page, GraphInterface interface);
    [[nodiscard]] const GraphInterface& interface() const { return m_interface; }
    /// Returns e.g. "3 inputs · 1 output · 12 parameters, 3.2 MB".
    [[nodiscard]] QString summary() const;
    /// Returns the node of a row; invalid for groups.
    [[nodiscard]] NodeId nodeOf(const QModelIndex& index) const;
    /// Returns the rows of a node, at most one per group.
    [[nodiscard]] QModelIndexList rowsOf(NodeId node) const;

    [[nodiscard]] QModelIndex index(int row, int column, const QModelIndex& parent = {}) const override;
    [[nodiscard]] QModelIndex parent(const QModelIndex& index) const override;
    [[nodiscard]] int rowCount(const QModelIndex& parent = {}) const override;
    [[nodiscard]] int columnCount(const QModelIndex& parent = {}) const override;
    [[nodiscard]] QVariant data(const QModelIndex& index, int role) const override;
    [[nodiscard]] QVariant headerData(int section, Qt::Orientation orientation, int role) const override;

private:
    static constexpr quintptr kTop = ~quintptr(0);
    [[nodiscard]] const std::vector<Port>& ports(int group) const;
    [[nodiscard]] QString groupText(int group, int column) const;
    [[nodiscard]] QString typeOf(const Port& port) const;
    [[nodiscard]] QString sizeOf(const Port& port) const;
    [[nodiscard]] QString wayOf(const Port& port, int group) const;
    [[nodiscard]] QString cell(const Port& port, int group, int column) const;
    [[nodiscard]] QString partName(std::int32_t part) const;

    PartPage m_page;
    GraphInterface m_interface;
};

/// The interface table of a part; a click or the arrow keys pick the node of a row.
class InterfacePanel final : public QTreeView {
    Q_OBJECT

public:
    explicit InterfacePanel(QWidget* parent = nullptr);
    [[nodiscard]] InterfaceModel& interfaceModel() { return *m_model; }
    [[nodiscard]] const InterfaceModel& interfaceModel() const { return *m_model; }
    void show(const PartPage& page, GraphInterface interface);
    /// Marks the row of this node without emitting a signal; an invalid node clears the mark.
    void showNode(NodeId node);
    [[nodiscard]] QSize sizeHint() const override;

signals:
    void nodePicked(sunder::NodeId node);

protected:
    void resizeEvent(QResizeEvent* event) override;

private:
    void fitColumns();

    InterfaceModel* m_model;
    bool m_showing = false;
};

} // namespace sunder
