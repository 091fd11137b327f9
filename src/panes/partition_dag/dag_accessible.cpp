#include "panes/partition_dag/dag_accessible.h"

#include "canvas/painted_children.h"
#include "panes/partition_dag/dag_view.h"

namespace sunder {
namespace {

class DagAccessible final : public PaintedChildren {
public:
    explicit DagAccessible(DagView* view) : PaintedChildren(view) {}

    [[nodiscard]] QString nameOf(int index) const override
    {
        const DagChip* chip = chipOf(index);
        return chip == nullptr || chip->handle < 0 ? view().describe(placeOfChild(index)) : textOf(view().content(), *chip);
    }
    [[nodiscard]] QString descriptionOf(int index) const override
    {
        const DagChip* chip = chipOf(index);
        if (chip == nullptr || chip->handle < 0)
            return {};
        return QObject::tr("%1. On the boundary of its part: press M or Enter to move it to another part.")
            .arg(view().describe(placeOfChild(index)));
    }
    [[nodiscard]] QAccessible::Role roleOf(int index) const override
    {
        return chipOf(index) != nullptr ? QAccessible::Button : QAccessible::ListItem;
    }
    void addState(int index, QAccessible::State& state) const override
    {
        const DagHit place = placeOfChild(index);
        const auto at = static_cast<std::size_t>(place.index);
        if (place.kind == DagHit::Kind::box) {
            state.selectable = true;
            state.selected = view().marks().selectedOps[at] > 0;
            state.expandable = true;
            state.expanded = view().layoutOfContent().isUnfolded(at);
            state.collapsed = !state.expanded;
        } else if (const DagChip* chip = chipOf(index); chip != nullptr && chip->handle >= 0) {
            state.selectable = true;
            state.selected = view().marks().selectedHandles[static_cast<std::size_t>(chip->handle)] != 0;
        } else if (chip != nullptr && chip->shared >= 0) {
            state.selectable = true;
            state.selected = view().marks().selectedShared[static_cast<std::size_t>(chip->shared)] != 0;
        }
    }
    [[nodiscard]] QRect placeOf(int index) const override
    {
        const QRect at = view().viewRectOf(placeOfChild(index)).toAlignedRect();
        return {view().viewport()->mapToGlobal(at.topLeft()), at.size()};
    }
    [[nodiscard]] QString pressNameOf(int index) const override
    {
        const DagHit place = placeOfChild(index);
        if (place.kind == DagHit::Kind::box)
            return QObject::tr("Expand its graph");
        const DagChip* chip = chipOf(index);
        if (chip != nullptr && chip->shared >= 0)
            return QObject::tr("List its consumers");
        return chip != nullptr && chip->handle >= 0 ? QObject::tr("Move to another part") : QObject::tr("List its tensors");
    }
    void press(int index) override
    {
        view().setCurrent(placeOfChild(index));
        emit view().activated(placeOfChild(index));
    }
    [[nodiscard]] int current() const override { return childOf(view().current()); }

protected:
    [[nodiscard]] int countOfChildren() const override
    {
        return boxCount() + cutEdgeCount() + static_cast<int>(view().layoutOfContent().chips.size());
    }
    [[nodiscard]] int childIndexAt(QPoint global) const override
    {
        return childOf(view().placeAt(view().viewport()->mapFromGlobal(global)));
    }

private:
    [[nodiscard]] DagView& view() const { return *static_cast<DagView*>(object()); }
    [[nodiscard]] int boxCount() const { return static_cast<int>(view().content().boxes.size()); }
    [[nodiscard]] int cutEdgeCount() const { return static_cast<int>(view().content().cutEdges.size()); }
    [[nodiscard]] int childOf(DagHit place) const
    {
        switch (place.kind) {
        case DagHit::Kind::box: return place.index;
        case DagHit::Kind::cutEdge: return boxCount() + place.index;
        case DagHit::Kind::chip: return boxCount() + cutEdgeCount() + place.index;
        case DagHit::Kind::none: break;
        }
        return -1;
    }
    [[nodiscard]] DagHit placeOfChild(int index) const
    {
        if (index < boxCount())
            return {DagHit::Kind::box, index};
        index -= boxCount();
        return index < cutEdgeCount() ? DagHit{DagHit::Kind::cutEdge, index} : DagHit{DagHit::Kind::chip, index - cutEdgeCount()};
    }
    [[nodiscard]] const DagChip* chipOf(int index) const
    {
        const DagHit place = placeOfChild(index);
        return place.kind == DagHit::Kind::chip ? &view().layoutOfContent().chips[static_cast<std::size_t>(place.index)]
                                                : nullptr;
    }
};

} // namespace

void installDagAccessibility()
{
    installPaintedChildren<DagAccessible, DagView>();
}

} // namespace sunder
