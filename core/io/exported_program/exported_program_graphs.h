#pragma once

#include "io/exported_program/exported_program_records.h"
#include "support/progress_monitor.h"

namespace sunder {

/// Rebuilds torch.fx graphs from records, as torch.export.load does (`docs/model-files.md`, "Rebuilding nodes"): placeholders, a
/// get_attr with its GraphModule for each graph in arguments, getitems for the results of a node, names, values, and the output.
/// Empties the records. Errors: malformed if a node uses an undefined value, two values have the same name, or the signature does
/// not match the graph; cancelled. Linear.
Result<Program> rebuildProgram(ProgramRecord& record, ProgressMonitor& monitor);

} // namespace sunder
