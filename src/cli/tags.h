#pragma once

#include "analysis/tag_assignment.h"
#include "cli/command.h"
#include "ir/program.h"

namespace sunder::cli {

/// The tags of a tags file, or of a project. Refused, naming them, are tags of what is no node, tags of calls that are not in the order,
/// and colours of such.
Result<TagAssignment> readTags(const Program& program, const std::string& path);

/// The tags of --tags TAGS.json; without the option those that stand on the nodes, refused when there are none.
Result<TagAssignment> tagsFor(const Invocation& invocation, const Program& program);

/// Writes TAGS.json for the root graph.
Result<void> writeTags(const Program& program, const TagAssignment& tags, const std::string& path);

/// Tags with the colours that a file gives them, as "#rrggbb".
struct ColoredTags {
    TagAssignment tags;
    std::vector<std::pair<InternedString, InternedString>> colors = {};
};

/// As readTags().
Result<ColoredTags> readColoredTags(const Program& program, const std::string& path);

/// The tags that the model begins with, in its own colours.
ColoredTags ownColoredTags(const Program& program);

/// Writes TAGS.json with the colours of those tags that there are.
Result<void> writeColoredTags(const Program& program, const ColoredTags& tags, const std::string& path);

} // namespace sunder::cli
