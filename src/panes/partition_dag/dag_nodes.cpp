#include "panes/partition_dag/dag_nodes.h"

#include <algorithm>
#include <iterator>

namespace sunder {

const DagHandle* handleAt(const DagView& view, DagHit place)
{
    if (place.kind != DagHit::Kind::chip)
        return nullptr;
    const int handle = view.layoutOfContent().chips[static_cast<std::size_t>(place.index)].handle;
    return handle < 0 ? nullptr : &view.content().handles[static_cast<std::size_t>(handle)];
}

const DagShared* sharedAt(const DagView& view, DagHit place)
{
    if (place.kind != DagHit::Kind::chip)
        return nullptr;
    const int shared = view.layoutOfContent().chips[static_cast<std::size_t>(place.index)].shared;
    return shared < 0 ? nullptr : &view.content().shared[static_cast<std::size_t>(shared)];
}

std::vector<NodeId> nodesAt(const DagView& view, const CutMeasure& measure, DagHit place)
{
    const DagContent& content = view.content();
    if (place.kind == DagHit::Kind::box)
        return measure.nodesOf(content.boxes[static_cast<std::size_t>(place.index)].part);
    if (const DagHandle* handle = handleAt(view, place))
        return {handle->node};
    if (const DagShared* shared = sharedAt(view, place))
        return {shared->node};
    std::vector<NodeId> nodes;
    if (place.kind == DagHit::Kind::cutEdge) {
        const std::size_t cutEdge = content.cutEdges[static_cast<std::size_t>(place.index)].cutEdge;
        for (const CutEdgeValue& value : measure.drawn().cutEdges[cutEdge].values)
            nodes.push_back(value.node);
    }
    return nodes;
}

QString nameOfBox(const DagView& view, int box)
{
    return view.content().boxes[static_cast<std::size_t>(box)].look.name;
}

std::vector<NodeId> withPicked(const std::vector<NodeId>& selected, std::vector<NodeId> picked, SelectionMode mode)
{
    if (mode == SelectionMode::replace)
        return picked;
    std::vector<NodeId> wanted;
    if (mode == SelectionMode::toggle && std::ranges::includes(selected, picked))
        std::ranges::set_difference(selected, picked, std::back_inserter(wanted));
    else
        std::ranges::set_union(selected, picked, std::back_inserter(wanted));
    return wanted;
}

} // namespace sunder
