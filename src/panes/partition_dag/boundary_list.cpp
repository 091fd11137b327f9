#include "panes/partition_dag/boundary_list.h"

#include "document/text.h"
#include "panes/partition_dag/dag_nodes.h"
#include "panes/partition_dag/tensor_list.h"
#include "support/format.h"

#include <QSettings>
#include <QSplitter>
#include <QTimer>

#include <algorithm>

namespace sunder {

BoundaryList::BoundaryList(DagView& view, TensorList& tensors, QSplitter& splitter, QWidget& legend, QObject* parent)
    : QObject(parent), m_view(view), m_tensors(tensors), m_splitter(splitter), m_legend(legend)
{
    m_splitter.setStretchFactor(0, 1);
    m_tensors.hide();
    m_height = QSettings().value(QStringLiteral("partitionDag/listHeight")).toInt();
    connect(&m_splitter, &QSplitter::splitterMoved, this, [this] {
        m_height = m_tensors.height();
        QSettings().setValue(QStringLiteral("partitionDag/listHeight"), m_height);
    });
    connect(&m_tensors, &TensorList::closeRequested, this, &BoundaryList::close);
}

void BoundaryList::open(const CutMeasure& measure, DagHit place, const std::vector<NodeId>& selected)
{
    if (place.kind == DagHit::Kind::none)
        return;
    const bool wasHidden = m_tensors.isHidden();
    m_place = place;
    fill(measure);
    m_tensors.markSelected(selected);
    if (wasHidden)
        shareHeight();
    m_view.ensureShown(place);
}

void BoundaryList::fill(const CutMeasure& measure)
{
    const DagContent& content = m_view.content();
    m_view.setOpenCutEdge(m_place.kind == DagHit::Kind::cutEdge ? m_place.index : -1);
    if (m_place.kind == DagHit::Kind::cutEdge) {
        const DagCutEdge& cutEdge = content.cutEdges[static_cast<std::size_t>(m_place.index)];
        m_tensors.show(describe(content, cutEdge), measure.source(), rowsOf(measure.drawn().cutEdges[cutEdge.cutEdge]));
    } else if (const DagShared* shared = sharedAt(m_view, m_place)) {
        m_tensors.show(describe(content, *shared), measure.source(), readerRowsOf(measure, shared->node));
    } else if (m_place.kind == DagHit::Kind::chip
               && m_view.layoutOfContent().chips[static_cast<std::size_t>(m_place.index)].isBeside) {
        const DagBox& box = content.boxes[m_view.layoutOfContent().chips[static_cast<std::size_t>(m_place.index)].box];
        m_tensors.show(tr("Values that %1 shares with many parts").arg(box.look.name), measure.source(),
                       sharedRowsOf(measure, box.part));
    } else if (m_place.kind == DagHit::Kind::chip) {
        fillEdge(measure);
    } else {
        m_tensors.show(tr("Inputs and outputs of %1").arg(nameOfBox(m_view, m_place.index)), measure.source(),
                       boundaryRowsOf(measure, content.boxes[static_cast<std::size_t>(m_place.index)].part));
    }
}

void BoundaryList::fillEdge(const CutMeasure& measure)
{
    const DagChip& chip = m_view.layoutOfContent().chips[static_cast<std::size_t>(m_place.index)];
    const DagBox& box = m_view.content().boxes[chip.box];
    std::vector<TensorRow> rows = edgeRowsOf(measure, box.part, chip.leaves);
    const std::size_t all = chip.leaves ? box.leaving : box.entering;
    QString title = chip.leaves ? tr("Ops of %1 that other parts use").arg(box.look.name)
                                : tr("Ops of %1 with inputs from other parts").arg(box.look.name);
    if (rows.size() < all)
        title = tr("%1: the largest %2 of %3").arg(title, QString::number(rows.size()), text(formatCount(all)));
    m_tensors.show(title, measure.source(), std::move(rows));
}

/// Restores the height set by the user, or else shows six rows. The DAG keeps enough height for one box and its surroundings.
void BoundaryList::shareHeight()
{
    constexpr int kMinDag = 120;
    constexpr int kGoodDag = 200;
    const int wanted = m_height > 0 ? m_height : m_tensors.heightOfRows(6);
    emit roomWanted(kGoodDag + wanted);
    m_legend.setVisible(m_splitter.height() >= kGoodDag + wanted); // keep the legend only if there is room
    QTimer::singleShot(0, this, [this, wanted] {                   // after the layout
        const int least = m_tensors.minimumHeight();
        const int given = std::clamp(wanted, least, std::max(least, m_splitter.height() - kMinDag));
        m_splitter.setSizes({m_splitter.height() - given, given});
    });
}

void BoundaryList::close()
{
    const QWidget* focused = m_tensors.window()->focusWidget();
    const bool hadFocus = focused != nullptr && m_tensors.isAncestorOf(focused);
    m_place = {};
    m_tensors.hide();
    m_legend.show();
    m_view.setOpenCutEdge(-1);
    if (hadFocus)
        m_view.setFocus();
}

} // namespace sunder

#include "moc_boundary_list.cpp"
