#pragma once

#include "io/exported_program/exported_program_records.h"
#include "support/progress_monitor.h"

namespace sunder {

/// Rebuilds torch.fx graphs from records, as torch.export.load does (`docs/model-files.md`, "Rebuilding nodes"): placeholders, a
/// get_attr for each graph among the arguments with its GraphModule, getitems for the results of a node, names, values
/// and the output. Records are emptied on the way. Malformed when a node uses what no earlier node makes, when two
/// values have one name, or when the signature does not fit the graph; cancelled. Linear.
Result<Program> rebuildProgram(ProgramRecord& record, ProgressMonitor& monitor);

} // namespace sunder
