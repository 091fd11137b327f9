#include "tagging/repaired_tags.h"

#include "analysis/stages.h"
#include "analysis/training/backward_tags.h"
#include "tagging/tag_list.h"

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
    for (const auto& [id, tag] : repair.changes)
        tags.tagOf[id.index()] = tag;
    std::vector<int> gone = repair.emptied;
    std::ranges::sort(gone, std::greater());
    for (const int tag : gone)
        tags = withoutTag(tags, tag);
    return tags;
}

TagAssignment withMerged(TagAssignment tags, const Repair& repair)
{
    std::vector<int> gone = repair.order;
    std::erase(gone, repair.tag);
    std::ranges::sort(gone, std::greater());
    int into = repair.tag;
    for (const int tag : gone) {
        tags = mergedTags(tags, tag, into);
        into -= tag < into ? 1 : 0;
    }
    return tags;
}

} // namespace

Result<TagAssignment> repaired(const Snapshot& snapshot, const TagAssignment& tags, const Repair& repair)
{
    switch (repair.kind) {
    case Repair::Kind::retag:
    case Repair::Kind::fillIn: return retagged(snapshot, tags, repair);
    case Repair::Kind::mergeTags: return withMerged(tags, repair);
    case Repair::Kind::reorder: return reordered(tags, repair.order);
    case Repair::Kind::removeTag: return withoutTag(tags, repair.tag);
    case Repair::Kind::stages: return consecutiveStages(snapshot.program, static_cast<std::uint32_t>(repair.tag));
    case Repair::Kind::follow: return withBackwardFollowing(snapshot.graph(), snapshot.training, tags);
    case Repair::Kind::show: break;
    }
    return tags;
}

} // namespace sunder
