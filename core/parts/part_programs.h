#pragma once

#include "parts/part_plan.h"
#include "support/progress_monitor.h"
#include "support/result.h"

namespace sunder {

/// Returns one part of an exported program as an exported program. Its placeholders are parameters, buffers, constants, and
/// objects under their names, then its inputs as positional arguments. It returns a flat tuple. Nodes keep their names. It has
/// its own signature, module call graph, symbol ranges, and nested graphs; storages refer to the source file. Linear in the part
/// and in the source's tables. Fails only with `cancelled`.
Result<Program> exportedPart(const Program& source, const PartPlan& plan, std::size_t part,
                             ProgressMonitor& monitor = ProgressMonitor::none());

/// Returns the attributes that a plain graph returns directly. The last part returns them.
std::vector<NodeId> returnedAttributes(const Program& source);

/// Returns one part of the split of a plain graph module: the part's graph as root, with the modules and tensors that it needs,
/// returning a flat tuple.
Program partModule(const Program& source, const SplitResult& split, std::size_t part);

} // namespace sunder
