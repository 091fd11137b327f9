#pragma once

#include "ir/program.h"
#include "passes/regions/region_result.h"

#include <string>
#include <string_view>
#include <vector>

namespace sunder {

/// What people call the regions of a group, one name each, in the shortest way that tells them apart: the module that
/// holds all of it ("layers.14"), the one that holds its first and its last node, the modules from that of the first to
/// that of the last ("layers.0 … layers.1"), in the end the last node ("layers.0.mlp: linear_6"). Linear in nodes, times
/// the depth of their modules.
std::vector<std::string> occurrenceNames(const Program& program, const RegionGroup& group);

/// "layers.*.mlp" for "layers.31.mlp": what modules at the same place in elements of a list have in common.
std::string likeModules(std::string_view path);

/// Path of the innermost module that a node ran in; empty when it is not known.
std::string_view innermostModule(const Program& program, const Node& node);

} // namespace sunder
