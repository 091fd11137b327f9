// What a PartitionDagPane lists below the DAG, its menu, and graphs unfolded in boxes.
#include "panes/partition_dag/partition_dag_pane.h"

#include "document/text.h"
#include "models/tag_style_of.h"
#include "panes/partition_dag/part_graphs.h"
#include "panes/partition_dag/tensor_list.h"
#include "panes/partition_dag/ui_partition_dag_pane.h"
#include "support/format.h"
#include "text/amounts.h"

#include <QMenu>
#include <QTimer>

#include <algorithm>

namespace sunder {

void PartitionDagPane::unfold(int box)
{
    if (shownNumber() == 0 || box < 0)
        return;
    const DagBox at = m_view->content().boxes[static_cast<std::size_t>(box)];
    if (at.sizes.ops > PartGraphs::kMostOps) {
        const QString why = tr("%1 has %2, too many to read in a box").arg(at.look.name, countText(at.sizes.ops, "op"));
        if (shownNumber() == runNumber()) {
            emit partActivated(at.look.name);
            emit message(tr("%1: its graph is in Submodules.").arg(why));
        } else {
            emit message(tr("%1: keep this preview as a run to see its graph in Submodules.").arg(why));
        }
        return;
    }
    if (m_graphs->open(at.part, m_measure->tags().order[static_cast<std::size_t>(at.part)]) == nullptr)
        return;
    constexpr int kGood = 420;
    emit roomWanted(kGood);
    m_view->setGraphs(m_graphs->perBox(m_view->content()));
    m_view->setCurrent({DagPlace::Kind::box, box});
    m_view->ensureShown({DagPlace::Kind::box, box});
}

void PartitionDagPane::fold(int box)
{
    if (box < 0)
        return;
    const std::int32_t part = m_view->content().boxes[static_cast<std::size_t>(box)].part;
    RunGraphView* graph = m_graphs->graphOf(part);
    if (graph == nullptr)
        return;
    if (graph->isAncestorOf(focusWidget()))
        m_view->setFocus();
    m_graphs->close(part);
    m_view->setGraphs(m_graphs->perBox(m_view->content()));
    m_view->setCurrent({DagPlace::Kind::box, box});
    m_view->ensureShown({DagPlace::Kind::box, box});
}

void PartitionDagPane::list(DagPlace place)
{
    if (!m_measure || place.kind == DagPlace::Kind::none)
        return;
    const DagContent& content = m_view->content();
    const bool wasHidden = m_tensors->isHidden();
    m_listed = place;
    if (place.kind == DagPlace::Kind::ribbon) {
        const DagRibbon& ribbon = content.ribbons[static_cast<std::size_t>(place.index)];
        m_tensors->show(describe(content, ribbon), m_measure->source(), rowsOf(m_measure->metrics().ribbons[ribbon.ribbon]));
        m_view->setOpenRibbon(place.index);
    } else if (place.kind == DagPlace::Kind::chip) {
        const DagChip& chip = m_view->layoutOfContent().chips[static_cast<std::size_t>(place.index)];
        const DagBox& box = content.boxes[chip.box];
        std::vector<TensorRow> rows = edgeRowsOf(*m_measure, box.part, chip.leaves);
        const std::size_t all = chip.leaves ? box.leaving : box.entering;
        QString title = chip.leaves ? tr("Ops of %1 that other parts read").arg(box.look.name)
                                    : tr("Ops of %1 that read from other parts").arg(box.look.name);
        if (rows.size() < all)
            title = tr("%1: the %2 with the most bytes of %3").arg(title, QString::number(rows.size()), text(formatCount(all)));
        m_tensors->show(title, m_measure->source(), std::move(rows));
        m_view->setOpenRibbon(-1);
    } else {
        m_tensors->show(tr("What %1 takes and gives").arg(nameOfBox(place.index)), m_measure->source(),
                        boundaryRowsOf(*m_measure, content.boxes[static_cast<std::size_t>(place.index)].part));
        m_view->setOpenRibbon(-1);
    }
    m_tensors->markSelected(document().selection().source);
    if (wasHidden)
        shareHeight();
    m_view->ensureShown(place);
}

/// As the person left it, else six rows; the DAG keeps a box and what is around it.
void PartitionDagPane::shareHeight()
{
    constexpr int kLeastDag = 120;
    constexpr int kGoodDag = 200;
    const int wanted = m_listHeight > 0 ? m_listHeight : m_tensors->heightOfRows(6);
    emit roomWanted(height() - m_ui->splitter->height() + kGoodDag + wanted);
    m_ui->legend->setVisible(m_ui->splitter->height() >= kGoodDag + wanted); // the bars were explained before
    QTimer::singleShot(0, this, [this, wanted] { // once the room is there
        const int least = m_tensors->minimumHeight();
        const int given = std::clamp(wanted, least, std::max(least, m_ui->splitter->height() - kLeastDag));
        m_ui->splitter->setSizes({m_ui->splitter->height() - given, given});
    });
}

void PartitionDagPane::closeList()
{
    const bool hadFocus = m_tensors->isAncestorOf(focusWidget());
    m_listed = {};
    m_tensors->hide();
    m_ui->legend->show();
    m_view->setOpenRibbon(-1);
    if (hadFocus)
        m_view->setFocus();
}

void PartitionDagPane::addBoxActions(QMenu& menu, DagPlace place)
{
    const QString name = nameOfBox(place.index);
    const bool isUnfolded = m_view->layoutOfContent().isUnfolded(static_cast<std::size_t>(place.index));
    if (isUnfolded)
        menu.addAction(tr("Fold the graph of %1\tEsc").arg(caption(name)), this, [this, place] { fold(place.index); });
    else
        menu.addAction(tr("Unfold the graph of %1\tEnter").arg(caption(name)), this, [this, place] { unfold(place.index); });
    menu.addAction(tr("Open it in Submodules"), this, [this, name] { emit partActivated(name); })
        ->setEnabled(m_measure && m_measure->cut() == result<SplitOutcomePtr>());
    menu.addAction(tr("Select its ops\tSpace"), this, [this, place] { pick(place, SelectionMode::replace); });
    menu.addAction(tr("List what it takes and gives"), this, [this, place] {
        list(place);
        m_tensors->view().setFocus();
    });
    menu.addSeparator();
}

void PartitionDagPane::fillMenu(QMenu& menu, DagPlace place)
{
    if (place.kind == DagPlace::Kind::box) {
        addBoxActions(menu, place);
    } else if (place.kind == DagPlace::Kind::ribbon || (place.kind == DagPlace::Kind::chip && handleAt(place) == nullptr)) {
        menu.addAction(tr("List its tensors\tEnter"), this, [this, place] { activate(place); });
        menu.addSeparator();
    } else if (const DagHandle* handle = handleAt(place)) {
        if (!std::ranges::binary_search(document().selection().source, handle->node))
            document().select({handle->node}); // the menu speaks of what is selected
    }
    const std::vector<NodeId> calls = selectedCalls();
    QMenu* move = menu.addMenu(calls.empty() ? tr("Move the selection to part (M)")
                                             : tr("Move %1 to part (M)").arg(caption(nameOfNodes(calls))));
    move->setEnabled(!calls.empty() && m_measure);
    for (std::size_t i = 0; i < m_view->content().boxes.size(); ++i) {
        const TagLook& look = m_view->content().boxes[i].look;
        move->addAction(tagSwatch(look.style, currentTheme()), tr("%1 …").arg(caption(look.name)), this,
                        [this, calls, i] { beginMove(calls, static_cast<int>(i)); });
    }
    menu.addAction(tr("Take this cut over as tags"), this, &PartitionDagPane::takeOverAsTags)->setEnabled(m_measure != nullptr);
    if (m_preview->state() == PartitionPreview::State::ready)
        menu.addAction(tr("Keep this preview as a run"), m_preview, &PartitionPreview::keep);
}

} // namespace sunder
