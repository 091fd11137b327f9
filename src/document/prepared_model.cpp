#include "document/prepared_model.h"

#include "document/followed_tags.h"
#include "document/tag_edits.h"
#include "document/text.h"

namespace sunder {
namespace {

/// Returns default traits for a tag list: colors from the program's tag table, or by index.
std::vector<TagTraits> traitsFor(const TagAssignment& tags, const std::optional<TagTable>& table)
{
    std::vector<TagTraits> traits(tags.order.size());
    for (std::size_t i = 0; i < traits.size(); ++i) {
        traits[i].color.hue = static_cast<std::uint32_t>(i);
        if (!table)
            continue;
        for (const auto& [tag, color] : table->colors)
            if (tag == tags.order[i])
                traits[i].color = colorFromFile(color.view(), i);
    }
    return traits;
}

} // namespace

TagState stateOf(TagAssignment tags, std::vector<TagTraits> traits, const Snapshot& snapshot)
{
    tags.tagOf.resize(snapshot.calls.size(), TagAssignment::kUntagged);
    tags.unknownTags.clear();
    for (std::size_t id = 0; id < snapshot.calls.size(); ++id)
        if (snapshot.calls[id] == 0)
            tags.tagOf[id] = TagAssignment::kUntagged;
    if (traits.size() != tags.order.size())
        traits = traitsFor(tags, {});
    TagState state{.tags = std::move(tags), .traits = std::move(traits)};
    state.active = state.tags.order.empty() ? -1 : 0;
    return state;
}

PreparedModel prepareModel(SnapshotPtr snapshot, std::optional<LoadedTags> tags)
{
    PreparedModel model{.snapshot = std::move(snapshot)};
    const Program& program = model.snapshot->program;
    const bool mayFollow = !tags || tags->backwardFollows;
    if (tags) {
        model.tagsPath = tags->path;
        model.state = stateOf(std::move(tags->tags), std::move(tags->traits), *model.snapshot);
    } else {
        TagAssignment own = initialTags(program);
        std::vector<TagTraits> traits = traitsFor(own, program.tags);
        model.state = stateOf(std::move(own), std::move(traits), *model.snapshot);
    }
    model.state.backwardFollows = mayFollow;
    model.state.backwardFollows = canKeepFollowing(model.state, model.state.tags, *model.snapshot);
    model.state = followed(std::move(model.state), *model.snapshot);
    model.check = checkOf(*model.snapshot, model.state.tags, {.activeTag = model.state.active, .splitWanted = false});
    return model;
}

} // namespace sunder
