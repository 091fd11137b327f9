#pragma once

#include "analysis/tag_assignment.h"
#include "io/side_files/project_file.h"

#include <span>
#include <string>
#include <vector>

namespace sunder {

/// Converts the tags of a graph for a project: names and nodes; the caller adds the styles. O(nodes + tags).
std::vector<ProjectTag> projectTagsOf(const Graph& graph, const TagAssignment& tags);

/// The inverse. Nodes that are not in the graph are in `unknownNodes`. O(nodes + names).
TagAssignment assignmentOf(const Graph& graph, std::span<const ProjectTag> tags);

/// Returns "#rrggbb": the tag's custom color, else the color of its hue, else of its position in the order.
std::string colorOf(const ProjectTag& tag, std::size_t place);

} // namespace sunder
