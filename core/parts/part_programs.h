#pragma once

#include "parts/part_plan.h"
#include "support/progress_monitor.h"
#include "support/result.h"

namespace sunder {

/// One part of an exported program as an exported program of its own: its placeholders are parameters, buffers,
/// constants and objects under their names, then what it takes, as positional arguments; it gives a flat tuple.
/// Nodes keep their names. Signature, module call graph, ranges of the symbols it uses and nested graphs are its own;
/// storages say where the weights are in the file of the source. Linear in the part and in the source's tables.
/// Fails with `cancelled` alone.
Result<Program> partProgram(const Program& source, const PartPlan& plan, std::size_t part,
                            ProgressMonitor& monitor = ProgressMonitor::none());

/// Attributes that a plain graph returns directly; the last part returns them.
std::vector<NodeId> returnedAttributes(const Program& source);

/// One part of a split graph module that is no exported program: the graph of the part as the root, with the modules
/// and tensors that it needs, giving a flat tuple.
Program partModule(const Program& source, const SplitResult& split, std::size_t part);

} // namespace sunder
