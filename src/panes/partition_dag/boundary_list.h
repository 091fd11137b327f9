#pragma once

#include "document/runs/cut_measure.h"
#include "panes/partition_dag/dag_view.h"

class QSplitter;

namespace sunder {

class TensorList;

/// The list below the DAG: the values of an edge, the boundary of a box, or the ops at an edge of a box. Keeps the list height
/// set by the user.
class BoundaryList final : public QObject {
    Q_OBJECT

public:
    /// `splitter` holds the view and the list. `legend` is visible if there is room for both.
    BoundaryList(DagView& view, TensorList& tensors, QSplitter& splitter, QWidget& legend, QObject* parent);

    [[nodiscard]] DagHit place() const { return m_place; }
    [[nodiscard]] bool isOpen() const { return m_place.kind != DagHit::Kind::none; }
    /// Lists the values or ops of a place. `selected`: nodes of the source, marked in the list.
    void open(const CutMeasure& measure, DagHit place, const std::vector<NodeId>& selected);
    void close();

signals:
    /// Emitted with the preferred height of the view and the list together.
    void roomWanted(int height);

private:
    void fill(const CutMeasure& measure);
    void fillEdge(const CutMeasure& measure);
    void shareHeight();

    DagView& m_view;
    TensorList& m_tensors;
    QSplitter& m_splitter;
    QWidget& m_legend;
    DagHit m_place;
    int m_height = 0; ///< height set by the user; 0: none yet
};

} // namespace sunder
