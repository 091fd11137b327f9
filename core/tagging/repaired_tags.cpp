#include "tagging/repaired_tags.h"

#include "analysis/stages.h"
#include "tagging/tag_list.h"
#include "tagging/tag_repairs.h"

namespace sunder {
namespace {

TagAssignment retagged(const Snapshot& snapshot, TagAssignment tags, std::span<const NodeId> nodes, int tag)
{
    tags.tagOf.resize(snapshot.graph().idBound(), TagAssignment::kUntagged);
    for (const NodeId id : nodes)
        if (snapshot.isCall(id))
            tags.tagOf[id.index()] = tag;
    return tags;
}

TagAssignment filledIn(const Snapshot& snapshot, TagAssignment tags)
{
    tags.tagOf.resize(snapshot.graph().idBound(), TagAssignment::kUntagged);
    for (const auto& [id, tag] : earliestTags(snapshot.graph(), tags))
        tags.tagOf[id.index()] = tag;
    return tags;
}

} // namespace

Result<TagAssignment> repaired(const Snapshot& snapshot, const TagAssignment& tags, const Repair& repair)
{
    switch (repair.kind) {
    case Repair::Kind::retag: return retagged(snapshot, tags, repair.nodes, repair.tag);
    case Repair::Kind::fillIn: return filledIn(snapshot, tags);
    case Repair::Kind::reorder: return reordered(tags, repair.order);
    case Repair::Kind::removeTag: return withoutTag(tags, repair.tag);
    case Repair::Kind::stages: return consecutiveStages(snapshot.program, static_cast<std::uint32_t>(repair.tag));
    case Repair::Kind::show: break;
    }
    return tags;
}

} // namespace sunder
