#pragma once

#include "canvas/canvas_types.h"
#include "panes/partition_dag/dag_hit.h"

#include <QObject>

#include <cstdint>

class QMenu;
class QPoint;

namespace sunder {

class DagView;
class Document;
class PartMover;
class ShownCut;

/// The context menu of the DAG: the actions for a place, for the selection, and for the cut.
class DagMenu final : public QObject {
    Q_OBJECT

public:
    DagMenu(Document& document, DagView& view, ShownCut& cut, PartMover& mover, QObject* parent);

    /// Shows the menu of a place until it is closed. `lane`: −1: none.
    void run(DagHit place, int lane, const QPoint& globalPosition);

signals:
    void foldRequested(int box, bool unfold);
    /// Requests the graph of this part in Submodules.
    void partActivated(const QString& name);
    void picked(sunder::DagHit place, sunder::SelectionMode mode);
    /// Requests the list of a place, with the keyboard focus.
    void listRequested(sunder::DagHit place);
    /// Emitted with the answer when the user asks for the reason of a part or device.
    void answered(const QString& question, const QString& answer);

private:
    void addBoxActions(QMenu& menu, DagHit place);
    void addWhyDevices(QMenu& menu, int lane);
    void addWhatLimits(QMenu& menu, std::int64_t device);
    void addMoves(QMenu& menu);

    Document& m_document;
    DagView& m_view;
    ShownCut& m_cut;
    PartMover& m_mover;
};

} // namespace sunder
