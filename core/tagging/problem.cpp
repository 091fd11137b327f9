#include "tagging/problem.h"

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

} // namespace sunder
