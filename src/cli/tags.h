#pragma once

#include "analysis/tag_assignment.h"
#include "cli/command.h"
#include "ir/program.h"

namespace sunder::cli {

/// Reads the tags of a tags file or project. Refused, with names, if it tags a missing node, or uses a tag of a call or of a
/// color that is not in the order.
Result<TagAssignment> readTags(const Program& program, const std::string& path);

/// Returns the tags of --tags TAGS.json; without the option those on the nodes. Refused if there are none.
Result<TagAssignment> tagsFor(const Invocation& invocation, const Program& program);

/// Writes TAGS.json for the root graph.
Result<void> writeTags(const Program& program, const TagAssignment& tags, const std::string& path);

/// Tags with their colors from a file, as "#rrggbb".
struct ColoredTags {
    TagAssignment tags;
    std::vector<std::pair<InternedString, InternedString>> colors = {};
};

/// Reads tags and colors; errors as for readTags().
Result<ColoredTags> readColoredTags(const Program& program, const std::string& path);

/// Returns the initial tags of the model, with its own colors.
ColoredTags ownColoredTags(const Program& program);

/// Writes TAGS.json with the colors of existing tags.
Result<void> writeColoredTags(const Program& program, const ColoredTags& tags, const std::string& path);

} // namespace sunder::cli
