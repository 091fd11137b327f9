#pragma once

#include "panes/submodules/interface_model.h"

#include <QTreeView>

namespace sunder {

/// The table of what a part takes and gives; a click or the arrows pick the node of a row.
class InterfacePanel final : public QTreeView {
    Q_OBJECT

public:
    explicit InterfacePanel(QWidget* parent = nullptr);
    [[nodiscard]] InterfaceModel& interfaceModel() { return *m_model; }
    [[nodiscard]] const InterfaceModel& interfaceModel() const { return *m_model; }
    void show(const PartPage& page, SubmoduleInterface interface);
    /// Marks the row of this node without telling anyone; an invalid one unmarks.
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
