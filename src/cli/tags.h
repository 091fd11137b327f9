#pragma once

#include "analysis/tag_assignment.h"
#include "cli/command.h"
#include "ir/program.h"

namespace sunder::cli {

/// The tags of --tags TAGS.json; without the option those that stand on the nodes, refused when there are none.
Result<TagAssignment> tagsFor(const Invocation& invocation, const Program& program);

/// Writes TAGS.json for the root graph.
Result<void> writeTags(const Program& program, const TagAssignment& tags, const std::string& path);

} // namespace sunder::cli
