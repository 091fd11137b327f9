#pragma once

#include "ir/program.h"
#include "passes/unflatten/module_objects.h"

namespace sunder {

/// Adds the modules that the module call graph names and that hold nothing, and puts children into its order; calls
/// stand where their module does, and what it does not name comes last. A module that stands in several places is
/// ordered for each of them in turn. No module contains itself. Linear in places of modules, of which no more are
/// followed than there are modules times eight.
void orderChildren(ModuleObjects& objects, const std::vector<ModuleCall>& calls);

} // namespace sunder
