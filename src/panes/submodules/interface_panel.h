#pragma once

#include "panes/submodules/interface_model.h"

#include <QTreeView>

namespace sunder {

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
