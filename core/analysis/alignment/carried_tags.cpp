#include "analysis/alignment/carried_tags.h"

#include "support/format.h"

#include <algorithm>
#include <optional>
#include <unordered_map>

namespace sunder {
namespace {

constexpr std::int32_t kUntagged = TagAssignment::kUntagged;

/// Returns the tag common to all candidates; nothing if they differ or some candidates are not listed.
std::optional<std::int32_t> commonTag(const AlignedCall& call, std::span<const std::int32_t> tagOf)
{
    std::optional<std::int32_t> common;
    if (call.old != AlignedCall::kNone)
        common = tagOf[call.old];
    for (const std::uint32_t other : call.others) {
        if (common && *common != tagOf[other])
            return {};
        common = tagOf[other];
    }
    return call.hasMore ? std::nullopt : common;
}

CarriedTag carriedTag(const AlignedCall& call, std::span<const std::int32_t> tagOf)
{
    switch (call.kind) {
    case MatchKind::identity:
    case MatchKind::structure:
    case MatchKind::moved: return {.tag = tagOf[call.old]};
    case MatchKind::inPlace:
    case MatchKind::undecided: {
        const std::optional<std::int32_t> common = commonTag(call, tagOf);
        if (!common)
            return {.suggestion = call.old != AlignedCall::kNone ? tagOf[call.old] : kUntagged};
        if (call.old == AlignedCall::kNone && call.kind == MatchKind::undecided) // most likely a new op
            return {.suggestion = *common};
        return {.tag = *common, .isEitherWay = true};
    }
    case MatchKind::added: break;
    }
    return {};
}

/// Suggests tags in graph order, so that a chain of new ops gets the suggestion of its first op.
void suggestByNeighbors(const GraphIdentity& now, const GraphAlignment& alignment, CarriedTags& carried)
{
    std::vector<std::int32_t> tagAt(now.nodes.size(), kUntagged);
    for (std::size_t i = 0; i < alignment.calls.size(); ++i)
        tagAt[alignment.calls[i].node] = carried.calls[i].tag;
    const Rows users = now.reads.inverted(now.nodes.size());
    for (std::size_t i = 0; i < alignment.calls.size(); ++i) {
        CarriedTag& tag = carried.calls[i];
        const std::uint32_t node = alignment.calls[i].node;
        const MatchKind kind = alignment.calls[i].kind;
        if (tag.tag != kUntagged || kind == MatchKind::identity || kind == MatchKind::structure || kind == MatchKind::moved)
            continue;
        if (tag.suggestion == kUntagged) {
            for (const std::uint32_t read : now.reads[node])
                tag.suggestion = std::max(tag.suggestion, tagAt[read]);
            if (tag.suggestion == kUntagged)
                for (const std::uint32_t user : users[node])
                    if (tagAt[user] != kUntagged && (tag.suggestion == kUntagged || tagAt[user] < tag.suggestion))
                        tag.suggestion = tagAt[user];
        }
        tagAt[node] = tag.suggestion;
    }
}

std::string namesOf(const GraphIdentity& old, std::span<const std::uint32_t> nodes)
{
    constexpr std::size_t kShown = 3;
    std::string names;
    for (std::size_t i = 0; i < std::min(nodes.size(), kShown); ++i)
        names += (i == 0 ? "" : ", ") + old.nodes[nodes[i]].name.str();
    return nodes.size() > kShown ? names + " and " + std::to_string(nodes.size() - kShown) + " more" : names;
}

} // namespace

std::vector<std::int32_t> oldTags(const GraphIdentity& old, std::span<const InternedString> order, std::span<const TagPair> pairs)
{
    std::unordered_map<InternedString, std::int32_t> places;
    for (std::size_t i = 0; i < order.size(); ++i)
        places[order[i]] = static_cast<std::int32_t>(i);
    std::unordered_map<InternedString, std::uint32_t> nodes;
    for (std::uint32_t node = 0; node < old.nodes.size(); ++node)
        nodes.emplace(old.nodes[node].name, node);
    std::vector<std::int32_t> tags(old.nodes.size(), kUntagged);
    for (const auto& [name, tag] : pairs)
        if (const auto node = nodes.find(name); node != nodes.end())
            if (const auto place = places.find(tag); place != places.end())
                tags[node->second] = place->second;
    return tags;
}

CarriedTags carriedTags(const GraphIdentity& now, const GraphAlignment& alignment, std::span<const std::int32_t> tagOf)
{
    CarriedTags carried;
    carried.calls.reserve(alignment.calls.size());
    for (const AlignedCall& call : alignment.calls) {
        ++carried.counts[static_cast<std::size_t>(call.kind)];
        carried.calls.push_back(carriedTag(call, tagOf));
    }
    suggestByNeighbors(now, alignment, carried);
    for (std::size_t i = 0; i < alignment.calls.size(); ++i) {
        const AlignedCall& call = alignment.calls[i];
        const bool isWithout = call.kind >= MatchKind::inPlace && carried.calls[i].tag == kUntagged
            && !carried.calls[i].isEitherWay;
        carried.untagged += isWithout ? 1 : 0;
    }
    return carried;
}

TagAssignment assignmentOf(const Program& program, const GraphAlignment& alignment, const CarriedTags& carried,
                           std::vector<InternedString> order, Untagged untagged)
{
    const Graph& graph = program.rootGraph();
    const std::vector<NodeId> ids = graph.order();
    TagAssignment tags{.order = std::move(order), .tagOf = std::vector<std::int32_t>(graph.idBound(), kUntagged)};
    for (std::size_t i = 0; i < alignment.calls.size(); ++i) {
        const CarriedTag& call = carried.calls[i];
        const bool isSuggested = untagged == Untagged::suggestion && call.tag == kUntagged;
        tags.tagOf[ids[alignment.calls[i].node].index()] = isSuggested ? call.suggestion : call.tag;
    }
    return tags;
}

std::string summaryOf(const CarriedTags& carried, const GraphAlignment& alignment)
{
    constexpr std::array<std::string_view, kMatchKinds> kDescriptions = {" matched by identity", " by structure", " moved",
                                                                         " replacements",        " undecided",    " new"};
    std::string summary;
    const auto add = [&](std::size_t count, std::string_view what) {
        if (count > 0)
            summary += (summary.empty() ? "" : ", ") + formatCount(count) + std::string(what);
    };
    for (std::size_t kind = 0; kind < kMatchKinds; ++kind)
        add(carried.counts[kind], kDescriptions[kind]);
    add(alignment.lost.size(), " lost");
    return summary.empty() ? "no ops" : summary;
}

std::string reasonOf(const GraphIdentity& old, const AlignedCall& call, const CarriedTag& tag)
{
    const std::string before = call.old == AlignedCall::kNone ? std::string() : old.nodes[call.old].name.str();
    switch (call.kind) {
    case MatchKind::identity: return "is the same as " + before;
    case MatchKind::structure: {
        const ModuleCallIdentity& module = old.modules[old.nodes[call.old].module];
        return "matches " + before + " in " + placeText(module) + " by structure";
    }
    case MatchKind::moved: return "is the same as " + before + ", with different inputs";
    case MatchKind::inPlace:
        return "replaces " + namesOf(old, call.others) + (call.hasMore ? ", or others" : "")
            + (call.mayBeNew ? ", or is in a new module" : "") + (tag.isEitherWay ? "" : "; their tags differ");
    case MatchKind::undecided: {
        std::vector<std::uint32_t> all = call.others;
        if (call.old != AlignedCall::kNone)
            all.insert(all.begin(), call.old);
        if (all.empty())
            return "has many possible matches";
        return "may match " + namesOf(old, all) + (call.hasMore ? " or others" : "") + (call.mayBeNew ? ", or be new" : "")
            + (tag.isEitherWay ? "; the tag is the same either way" : "");
    }
    case MatchKind::added: break;
    }
    return "is new";
}

} // namespace sunder
