#include "tagging/problem.h"

#include "analysis/stages.h"
#include "analysis/training/backward_tags.h"
#include "tagging/tag_list.h"

#include <algorithm>
#include <functional>

namespace sunder {

std::string_view name(Repair::Kind kind)
{
    switch (kind) {
    case Repair::Kind::retag: return "retag";
    case Repair::Kind::fillIn: return "fill_in";
    case Repair::Kind::reorder: return "reorder";
    case Repair::Kind::show: return "show";
    case Repair::Kind::removeTag: return "remove_tag";
    case Repair::Kind::mergeTags: return "merge_tags";
    case Repair::Kind::follow: return "follow";
    case Repair::Kind::stages: break;
    }
    return "stages";
}

std::string_view name(Problem::Kind kind)
{
    switch (kind) {
    case Problem::Kind::backwardEdge: return "backward_edge";
    case Problem::Kind::circle: return "circle";
    case Problem::Kind::orderDependency: return "hidden_order";
    case Problem::Kind::leftRegion: return "left_region";
    case Problem::Kind::splitState: return "split_state";
    case Problem::Kind::boundValue: return "bound_value";
    case Problem::Kind::cutRegion: return "cut_region";
    case Problem::Kind::partForm: return "part_form";
    case Problem::Kind::partName: return "part_name";
    case Problem::Kind::island: return "island";
    case Problem::Kind::overflow: return "overflow";
    case Problem::Kind::nothingTagged: return "nothing_tagged";
    case Problem::Kind::untagged: return "untagged";
    case Problem::Kind::notEqual: return "not_equal";
    case Problem::Kind::undecided: return "undecided";
    case Problem::Kind::sharedWeight: return "shared_weight";
    case Problem::Kind::nonTensor: return "non_tensor";
    case Problem::Kind::noValues: return "no_values";
    case Problem::Kind::emptyTag: return "empty_tag";
    case Problem::Kind::more: break;
    }
    return "more";
}

std::string describe(const BlockedRepair& blocked)
{
    return "\"" + blocked.label + "\" is not possible: " + blocked.why;
}

bool isRefused(const Problem& problem)
{
    using Kind = Problem::Kind;
    const bool isDoubt = problem.kind == Kind::splitState || problem.kind == Kind::orderDependency
        || problem.kind == Kind::undecided;
    return problem.severity == Severity::error || (problem.severity == Severity::warning && isDoubt);
}

bool isCounted(const Problem& problem)
{
    return !problem.goesWith && problem.severity != Severity::note;
}

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
