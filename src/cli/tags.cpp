#include "cli/tags.h"

#include "io/side_files/tags_file.h"

#include <algorithm>

namespace sunder::cli {

Result<TagAssignment> readTags(const Program& program, const std::string& path)
{
    const Result<TagsFile> file = readTagsFile(path);
    if (!file)
        return forward(file);
    TagAssignment tags = assignTags(program.rootGraph(), file->order, file->tags);
    if (!tags.unknownNodes.empty()) {
        const auto& [node, tag] = tags.unknownNodes.front();
        return fail(ErrorCode::refused,
                    "the tags file gives the tag " + tag.str() + " to " + node.str() + ", which is no node of the graph",
                    {.file = path, .node = node.str(), .other = tag.str()});
    }
    for (const auto& [id, tag] : tags.unknownTags)
        if (const Node& node = program.rootGraph()[id]; node.isCall()) // on others tags have no effect
            return fail(ErrorCode::refused,
                        "the tags file gives " + node.name.str() + " the tag " + tag.str() + ", which is not in its order",
                        {.file = path, .node = node.name.str(), .other = tag.str()});
    for (const auto& [tag, color] : file->colors)
        if (std::find(tags.order.begin(), tags.order.end(), tag) == tags.order.end())
            return fail(ErrorCode::refused,
                        "the tags file gives a colour to the tag " + tag.str() + ", which is not in its order",
                        {.file = path, .other = tag.str()});
    return tags;
}

Result<TagAssignment> tagsFor(const Invocation& invocation, const Program& program)
{
    if (invocation.isSet("tags"))
        return readTags(program, invocation.value("tags"));
    TagAssignment tags = tagsOnNodes(program);
    if (tags.order.empty())
        return fail(ErrorCode::usage,
                    "split needs --tags TAGS.json: the nodes of " + invocation.files[0] + " carry no tags of their own");
    return tags;
}

Result<void> writeTags(const Program& program, const TagAssignment& tags, const std::string& path)
{
    return writeTagsFile({.order = tags.order, .tags = tagPairs(program.rootGraph(), tags), .colors = {}}, path);
}

} // namespace sunder::cli
