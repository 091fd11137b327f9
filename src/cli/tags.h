#pragma once

#include "analysis/tag_assignment.h"
#include "cli/command.h"
#include "ir/program.h"

namespace sunder::cli {

/// The tags of a tags file. Refused, naming them, are tags of what is no node, tags of calls that are not in the order,
/// and colours of such.
Result<TagAssignment> readTags(const Program& program, const std::string& path);

/// The tags of --tags TAGS.json; without the option those that stand on the nodes, refused when there are none.
Result<TagAssignment> tagsFor(const Invocation& invocation, const Program& program);

/// Writes TAGS.json for the root graph.
Result<void> writeTags(const Program& program, const TagAssignment& tags, const std::string& path);

} // namespace sunder::cli
