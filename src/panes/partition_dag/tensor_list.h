#pragma once

#include "panes/partition_dag/tensor_model.h"

#include <QTreeView>
#include <QWidget>

#include <memory>

namespace sunder {

namespace Ui {
class TensorList;
}

/// The list of values of an edge or of a part's boundary, below the DAG. Selected rows select their nodes; rows can be dragged
/// onto a part to move them.
class TensorList final : public QWidget {
    Q_OBJECT

public:
    explicit TensorList(QWidget* parent = nullptr);
    ~TensorList() override;
    void show(const QString& title, SnapshotPtr source, std::vector<TensorRow> rows);
    [[nodiscard]] QTreeView& view();
    [[nodiscard]] TensorModel& model() { return *m_model; }
    /// Returns the height including title and header.
    [[nodiscard]] int heightOfRows(int rows) const;
    /// Marks the rows of these nodes without emitting a signal.
    void markSelected(const std::vector<NodeId>& sorted);

signals:
    void selected(const std::vector<sunder::NodeId>& nodes);
    void closeRequested();

protected:
    void keyPressEvent(QKeyEvent* event) override;

private:
    TensorModel* m_model;
    std::unique_ptr<Ui::TensorList> m_ui;
};

} // namespace sunder
