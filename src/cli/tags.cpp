#include "cli/tags.h"

#include "analysis/tag_palette.h"
#include "cli/files.h"
#include "io/side_files/project_tags.h"
#include "io/side_files/tags_file.h"

#include <algorithm>
#include <optional>

namespace sunder::cli {
namespace {

/// Returns the tags of a project in the form of a tags file.
Result<TagsFile> tagsOfProject(const std::string& path)
{
    SUNDER_TRY(const ProjectFile project, readProjectFile(path));
    TagsFile file;
    for (std::size_t i = 0; i < project.tags.size(); ++i) {
        const ProjectTag& tag = project.tags[i];
        file.order.push_back(tag.name);
        file.colors.emplace_back(tag.name, intern(colorOf(tag, i)));
        for (const InternedString node : tag.nodes)
            file.tags.emplace_back(node, tag.name);
    }
    return file;
}

/// Assigns tags without a color the palette color of their index, as in the window, so that reordering keeps it.
ColoredTags withAllColors(ColoredTags tags)
{
    for (std::size_t i = 0; i < tags.tags.order.size(); ++i) {
        const auto isOfTag = [&](const auto& pair) { return pair.first == tags.tags.order[i]; };
        if (std::ranges::none_of(tags.colors, isOfTag))
            tags.colors.emplace_back(tags.tags.order[i], intern(kTagPalette[i % kTagPalette.size()]));
    }
    return tags;
}

} // namespace

Result<ColoredTags> readColoredTags(const Program& program, const std::string& path)
{
    SUNDER_TRY(const TagsFile file, isProjectPath(path) ? tagsOfProject(path) : readTagsFile(path));
    TagAssignment tags = assignTags(program.rootGraph(), file.order, file.tags);
    if (!tags.unknownNodes.empty()) {
        const auto& [node, tag] = tags.unknownNodes.front();
        return fail(ErrorCode::refused, "the tags file assigns tag \"" + tag.str() + "\" to unknown node \"" + node.str() + '"',
                    {.file = path, .node = node.str(), .other = tag.str()});
    }
    for (const auto& [id, tag] : tags.unknownTags)
        if (const Node& node = program.rootGraph()[id]; node.isCall()) // tags only apply to calls
            return fail(ErrorCode::refused,
                        "the tags file assigns tag \"" + tag.str() + "\", which is not in its order, to node \"" + node.name.str()
                            + '"',
                        {.file = path, .node = node.name.str(), .other = tag.str()});
    for (const auto& [tag, color] : file.colors)
        if (std::find(tags.order.begin(), tags.order.end(), tag) == tags.order.end())
            return fail(ErrorCode::refused,
                        "the tags file assigns a color to tag \"" + tag.str() + "\", which is not in its order",
                        {.file = path, .other = tag.str()});
    return withAllColors({std::move(tags), file.colors});
}

Result<TagAssignment> readTags(const Program& program, const std::string& path)
{
    SUNDER_TRY(ColoredTags read, readColoredTags(program, path));
    return std::move(read.tags);
}

ColoredTags ownColoredTags(const Program& program)
{
    ColoredTags own{.tags = initialTags(program)};
    if (program.tags)
        for (const auto& [tag, color] : program.tags->colors)
            if (const std::optional<std::string> hex = hexColor(color.view()))
                own.colors.emplace_back(tag, intern(*hex));
    return withAllColors(std::move(own));
}

Result<TagAssignment> tagsFor(const Invocation& invocation, const Program& program)
{
    if (invocation.isSet("tags"))
        return readTags(program, invocation.value("tags"));
    TagAssignment tags = tagsOnNodes(program);
    if (tags.order.empty())
        return fail(ErrorCode::usage, invocation.files[0] + " has no tags; add --tags TAGS.json");
    return tags;
}

Result<void> writeTags(const Program& program, const TagAssignment& tags, const std::string& path)
{
    return writeColoredTags(program, {.tags = tags}, path);
}

Result<void> writeColoredTags(const Program& program, const ColoredTags& tags, const std::string& path)
{
    TagsFile file{.order = tags.tags.order, .tags = tagPairs(program.rootGraph(), tags.tags)};
    for (const auto& [tag, color] : tags.colors)
        if (std::find(file.order.begin(), file.order.end(), tag) != file.order.end())
            file.colors.emplace_back(tag, color);
    return writeTagsFile(file, path);
}

} // namespace sunder::cli
