#include "document/prepared_model.h"

#include "document/tag_edits.h"
#include "document/text.h"

namespace sunder {
namespace {

/// Colours for a list of tags: by place, or as the program's tag table says.
std::vector<TagColor> colorsFor(const TagAssignment& tags, const std::optional<TagTable>& table)
{
    std::vector<TagColor> colors(tags.order.size());
    for (std::size_t i = 0; i < colors.size(); ++i) {
        colors[i].hue = static_cast<std::uint32_t>(i);
        if (!table)
            continue;
        for (const auto& [tag, color] : table->colors)
            if (tag == tags.order[i])
                colors[i] = colorFromFile(color.view(), i);
    }
    return colors;
}

} // namespace

TagState stateOf(TagAssignment tags, std::vector<TagColor> colors, const Graph& graph)
{
    tags.tagOf.resize(graph.idBound(), TagAssignment::kUntagged);
    tags.unknownTags.clear();
    for (const NodeId id : graph.nodes())
        if (!graph[id].isCall())
            tags.tagOf[id.index()] = TagAssignment::kUntagged;
    if (colors.size() != tags.order.size())
        colors = colorsFor(tags, {});
    TagState state{.tags = std::move(tags), .colors = std::move(colors)};
    state.active = state.tags.order.empty() ? -1 : 0;
    return state;
}

PreparedModel prepareModel(SnapshotPtr snapshot, std::optional<LoadedTags> tags)
{
    PreparedModel model{.snapshot = std::move(snapshot)};
    const Program& program = model.snapshot->program;
    if (tags) {
        model.tagsPath = tags->path;
        model.state = stateOf(std::move(tags->tags), std::move(tags->colors), program.rootGraph());
    } else {
        TagAssignment own = initialTags(program);
        std::vector<TagColor> colors = colorsFor(own, program.tags);
        model.state = stateOf(std::move(own), std::move(colors), program.rootGraph());
    }
    model.check = checkOf(*model.snapshot, model.state.tags, {.activeTag = model.state.active, .splitWanted = false});
    return model;
}

} // namespace sunder
