#pragma once

#include "document/runs/cut_measure.h"
#include "panes/partition_dag/dag_view.h"

class QSplitter;

namespace sunder {

class TensorList;

/// What a place of the DAG lists below it: the values of a ribbon, those at the boundary of a box, the ops at an edge of a box.
/// Keeps the height that the person gave the list.
class BoundaryList final : public QObject {
    Q_OBJECT

public:
    /// The splitter holds the view and the list; `legend` is in sight where there is room for both.
    BoundaryList(DagView& view, TensorList& tensors, QSplitter& splitter, QWidget& legend, QObject* parent);

    [[nodiscard]] DagPlace place() const { return m_place; }
    [[nodiscard]] bool isOpen() const { return m_place.kind != DagPlace::Kind::none; }
    /// `selected`: nodes of the source, marked in the list.
    void open(const CutMeasure& measure, DagPlace place, const std::vector<NodeId>& selected);
    void close();

signals:
    /// So much height would be good for splitter and list.
    void roomWanted(int height);

private:
    void fill(const CutMeasure& measure);
    void fillEdge(const CutMeasure& measure);
    void shareHeight();

    DagView& m_view;
    TensorList& m_tensors;
    QSplitter& m_splitter;
    QWidget& m_legend;
    DagPlace m_place;
    int m_height = 0; ///< as the person left it; 0: not yet
};

} // namespace sunder
