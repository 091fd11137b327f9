#include "cli/tags.h"

#include "io/tags_file.h"

namespace sunder::cli {

Result<TagAssignment> tagsFor(const Invocation& invocation, const Program& program)
{
    if (invocation.isSet("tags")) {
        const Result<TagsFile> file = readTagsFile(invocation.value("tags"));
        if (!file)
            return forward(file);
        return assignTags(program.rootGraph(), file->order, file->tags);
    }
    TagAssignment tags = tagsOnNodes(program);
    if (tags.order.empty())
        return fail(ErrorCode::usage, "split needs --tags TAGS.json: the nodes of " + invocation.files[0] +
                                          " carry no tags of their own");
    return tags;
}

Result<void> writeTags(const Program& program, const TagAssignment& tags, const std::string& path)
{
    return writeTagsFile({.order = tags.order, .tags = tagPairs(program.rootGraph(), tags), .colors = {}}, path);
}

} // namespace sunder::cli
