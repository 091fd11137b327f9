#include "tagging/repaired_tags.h"

#include "analysis/stages.h"

#include <algorithm>
#include <functional>

namespace sunder {
namespace {

TagAssignment retagged(const Snapshot& snapshot, TagAssignment tags, const Repair& repair)
{
    tags.tagOf.resize(snapshot.graph().idBound(), TagAssignment::kUntagged);
    for (const NodeId id : repair.nodes)
        if (snapshot.isCall(id))
            tags.tagOf[id.index()] = repair.tag;
    std::vector<int> gone = repair.emptied;
    std::ranges::sort(gone, std::greater());
    for (const int tag : gone)
        tags = withoutTag(tags, tag);
    return tags;
}

TagAssignment filledIn(const Snapshot& snapshot, TagAssignment tags, const Repair& repair)
{
    tags.tagOf.resize(snapshot.graph().idBound(), TagAssignment::kUntagged);
    for (const auto& [id, tag] : repair.changes)
        tags.tagOf[id.index()] = tag;
    return tags;
}

} // namespace

TagAssignment reordered(const TagAssignment& tags, std::span<const int> order)
{
    TagAssignment other = tags;
    std::vector<std::int32_t> newIndex(order.size());
    for (std::size_t i = 0; i < order.size(); ++i) {
        const auto old = static_cast<std::size_t>(order[i]);
        newIndex[old] = static_cast<std::int32_t>(i);
        other.order[i] = tags.order[old];
    }
    for (std::int32_t& tag : other.tagOf)
        if (tag >= 0)
            tag = newIndex[static_cast<std::size_t>(tag)];
    return other;
}

TagAssignment withoutTag(const TagAssignment& tags, int tag)
{
    TagAssignment other = tags;
    other.order.erase(other.order.begin() + tag);
    for (std::int32_t& of : other.tagOf) {
        if (of == tag)
            of = TagAssignment::kUntagged;
        else if (of > tag)
            --of;
    }
    return other;
}

TagAssignment withMerged(const TagAssignment& tags, std::span<const int> merged, int into)
{
    TagAssignment other = tags;
    for (std::int32_t& tag : other.tagOf)
        if (std::ranges::find(merged, tag) != merged.end())
            tag = into;
    std::vector<int> gone(merged.begin(), merged.end());
    std::erase(gone, into);
    std::ranges::sort(gone, std::greater());
    for (const int tag : gone)
        other = withoutTag(other, tag);
    return other;
}

Result<TagAssignment> repaired(const Snapshot& snapshot, const TagAssignment& tags, const Repair& repair)
{
    switch (repair.kind) {
    case Repair::Kind::retag: return retagged(snapshot, tags, repair);
    case Repair::Kind::fillIn: return filledIn(snapshot, tags, repair);
    case Repair::Kind::reorder: return reordered(tags, repair.order);
    case Repair::Kind::removeTag: return withoutTag(tags, repair.tag);
    case Repair::Kind::mergeTags: return withMerged(tags, repair.order, repair.tag);
    case Repair::Kind::stages: return consecutiveStages(snapshot.program, static_cast<std::uint32_t>(repair.tag));
    case Repair::Kind::show: break;
    }
    return tags;
}

} // namespace sunder
