#include "io/side_files/project_tags.h"

#include "analysis/tag_palette.h"

namespace sunder {

std::vector<ProjectTag> projectTagsOf(const Graph& graph, const TagAssignment& tags)
{
    std::vector<ProjectTag> all(tags.order.size());
    for (std::size_t i = 0; i < all.size(); ++i)
        all[i].name = tags.order[i];
    for (const NodeId id : graph.nodes())
        if (const std::int32_t tag = tags[id]; tag >= 0)
            all[static_cast<std::size_t>(tag)].nodes.push_back(graph[id].name);
    return all;
}

TagAssignment assignmentOf(const Graph& graph, std::span<const ProjectTag> tags)
{
    std::vector<InternedString> order;
    std::vector<TagPair> pairs;
    for (const ProjectTag& tag : tags) {
        order.push_back(tag.name);
        for (const InternedString node : tag.nodes)
            pairs.emplace_back(node, tag.name);
    }
    return assignTags(graph, std::move(order), pairs);
}

std::string colorOf(const ProjectTag& tag, std::size_t place)
{
    if (!tag.color.empty())
        return tag.color;
    return std::string(kTagPalette[tag.hue.value_or(static_cast<std::uint32_t>(place)) % kTagPalette.size()]);
}

} // namespace sunder
