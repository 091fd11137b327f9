#pragma once

#include "analysis/tag_assignment.h"
#include "io/side_files/project_file.h"

#include <span>
#include <string>
#include <vector>

namespace sunder {

/// The tags of a graph as a project keeps them: names and nodes, what goes with a tag is to be added. O(nodes + tags).
std::vector<ProjectTag> projectTagsOf(const Graph& graph, const TagAssignment& tags);

/// And back. Nodes that the graph does not have are in `unknownNodes`. O(nodes + names).
TagAssignment assignmentOf(const Graph& graph, std::span<const ProjectTag> tags);

/// "#rrggbb": the tag's own colour, else that of its hue, else of its place in the order.
std::string colorOf(const ProjectTag& tag, std::size_t place);

} // namespace sunder
