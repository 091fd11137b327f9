#include "panes/partition_dag/dag_menu.h"

#include "document/document.h"
#include "document/runs/why_here.h"
#include "document/text.h"
#include "models/paint_menu.h"
#include "models/tag_style_of.h"
#include "panes/partition_dag/dag_nodes.h"
#include "panes/partition_dag/part_mover.h"
#include "panes/partition_dag/shown_cut.h"

#include <QMenu>

#include <algorithm>

namespace sunder {

DagMenu::DagMenu(Document& document, DagView& view, ShownCut& cut, PartMover& mover, QObject* parent)
    : QObject(parent), m_document(document), m_view(view), m_cut(cut), m_mover(mover)
{
}

void DagMenu::run(DagHit place, int lane, const QPoint& globalPosition)
{
    QMenu menu(&m_view);
    if (place.kind == DagHit::Kind::box) {
        addBoxActions(menu, place);
    } else if (place.kind == DagHit::Kind::none) {
        addWhyDevices(menu, lane);
        menu.addSeparator();
    } else if (place.kind == DagHit::Kind::cutEdge || (place.kind == DagHit::Kind::chip && handleAt(m_view, place) == nullptr)) {
        menu.addAction(sharedAt(m_view, place) != nullptr ? tr("List its consumers\tEnter") : tr("List its tensors\tEnter"), this,
                       [this, place] { emit listRequested(place); });
        menu.addSeparator();
    } else if (const DagHandle* handle = handleAt(m_view, place)) {
        if (!std::ranges::binary_search(m_document.marks().selection().source, handle->node))
            m_document.marks().select({handle->node}); // the menu applies to the selection
    }
    addMoves(menu);
    menu.addAction(tr("Convert to tags"), &m_mover, &PartMover::takeOverAsTags)->setEnabled(m_cut.measure() != nullptr);
    if (m_cut.preview().state() == PartitionPreview::State::ready)
        menu.addAction(tr("Keep this preview as a run"), &m_cut.preview(), &PartitionPreview::keep);
    menu.exec(globalPosition);
}

void DagMenu::addBoxActions(QMenu& menu, DagHit place)
{
    const QString name = nameOfBox(m_view, place.index);
    const bool isUnfolded = m_view.layoutOfContent().isUnfolded(static_cast<std::size_t>(place.index));
    menu.addAction(isUnfolded ? tr("Collapse the graph of %1\tEsc").arg(caption(name))
                              : tr("Expand the graph of %1\tEnter").arg(caption(name)),
                   this, [this, place, isUnfolded] { emit foldRequested(place.index, !isUnfolded); });
    menu.addAction(tr("Open in Submodules"), this, [this, name] { emit partActivated(name); })
        ->setEnabled(m_cut.measure() && m_cut.measure()->cut() == m_cut.run());
    menu.addAction(tr("Select its ops\tSpace"), this, [this, place] { emit picked(place, SelectionMode::replace); });
    addPaintActions(*menu.addMenu(tr("Paint its ops")), m_document,
                    {m_cut.measure() ? nodesAt(m_view, *m_cut.measure(), place) : std::vector<NodeId>(), name});
    menu.addAction(tr("List inputs and outputs"), this, [this, place] { emit listRequested(place); });
    if (const SplitOutcomePtr& shown = m_cut.outcome(); shown && shown->plan && m_cut.measure())
        menu.addAction(tr("&Why here?"), this, [this, shown, name] {
            const WhyHere why = whyPartHere(m_document.graph(), *shown, interned(name));
            emit answered(why.question, why.answer);
        });
    else if (shown && m_cut.measure())
        menu.addAction(tr("&Why here?"), this,
                       [this, part = m_view.content().boxes[static_cast<std::size_t>(place.index)].part,
                        tags = m_cut.measure()->tags(), name] {
                           m_document.loads().explainTag(part, tags, [this, name](const QString& why) {
                               emit answered(tr("What limits %1?").arg(brief(name, 60)), why);
                           });
                       });
    addWhyDevices(menu, static_cast<int>(m_view.content().boxes[static_cast<std::size_t>(place.index)].lane));
    menu.addSeparator();
}

/// Adds "Why does dev1 hold these parts?" for each device of a lane, or for a split by tags, "What limits dev1?".
void DagMenu::addWhyDevices(QMenu& menu, int lane)
{
    const SplitOutcomePtr& shown = m_cut.outcome();
    if (!shown || lane < 0)
        return;
    const std::vector<std::int64_t>& devices = m_view.content().lanes[static_cast<std::size_t>(lane)].devices;
    QMenu* into = devices.size() > 1 ? menu.addMenu(tr("Why these devices?")) : &menu;
    for (const std::int64_t device : devices) {
        if (!shown->plan && m_cut.measure())
            addWhatLimits(*into, device);
        else if (const WhyHere why = whyDeviceHere(m_document.graph(), *shown, device); !why.answer.isEmpty())
            into->addAction(caption(why.question), this, [this, why] { emit answered(why.question, why.answer); });
    }
}

/// Adds "What limits dev1?" for a device that has a stage of the tags.
void DagMenu::addWhatLimits(QMenu& menu, std::int64_t device)
{
    const std::vector<Device>& devices = m_document.devices().list();
    const auto at = std::ranges::find(devices, device, &Device::logicalId);
    if (at == devices.end())
        return;
    const QString question = tr("What limits %1?").arg(text(sunder::describe(*at)));
    menu.addAction(caption(question), this,
                   [this, question, row = static_cast<std::uint32_t>(at - devices.begin()), tags = m_cut.measure()->tags()] {
                       m_document.loads().explainDevice(row, tags,
                                                        [this, question](const QString& why) { emit answered(question, why); });
                   });
}

void DagMenu::addMoves(QMenu& menu)
{
    const std::vector<NodeId> calls = m_mover.selectedCalls();
    QMenu* move = menu.addMenu(calls.empty() ? tr("Move the selection to part (M)")
                                             : tr("Move %1 to part (M)").arg(caption(m_mover.nameOf(calls))));
    move->setEnabled(!calls.empty() && m_cut.measure());
    for (std::size_t i = 0; i < m_view.content().boxes.size(); ++i) {
        const TagLook& look = m_view.content().boxes[i].look;
        move->addAction(tagSwatch(look.style, currentTheme()), tr("%1 …").arg(caption(look.name)), this,
                        [this, calls, i] { m_mover.begin(calls, static_cast<int>(i)); });
    }
}

} // namespace sunder

#include "moc_dag_menu.cpp"
