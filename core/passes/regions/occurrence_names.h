#pragma once

#include "ir/program.h"
#include "passes/regions/region_result.h"

#include <string>
#include <string_view>
#include <vector>

namespace sunder {

/// Returns display names for the regions of a group, in the shortest form that makes them unique. Tries the enclosing module
/// ("layers.14"), the enclosing module of the first and last node, the range of modules from the first to the last node
/// ("layers.0 … layers.1"), and finally the last node ("layers.0.mlp: linear_6"). Linear in nodes × depth of their modules.
std::vector<std::string> occurrenceNames(const Program& program, const RegionGroup& group);

/// Returns "layers.*.mlp" for "layers.31.mlp": the common path of corresponding modules in list elements.
std::string likeModules(std::string_view path);

/// Returns the path of the innermost module of a node; empty if unknown.
std::string_view innermostModule(const Program& program, const Node& node);

} // namespace sunder
