#pragma once

#include "ir/program.h"
#include "passes/unflatten/module_objects.h"

namespace sunder {

/// Adds empty modules that the module call graph names, and sorts children by its order. Calls are sorted with their module;
/// modules that it does not name come last. A module at several paths is sorted for each of them in turn. No module may contain
/// itself. Linear in visited places, at most about eight per module.
void orderChildren(ModuleObjects& objects, const std::vector<ModuleCall>& calls);

} // namespace sunder
