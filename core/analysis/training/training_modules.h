#pragma once

#include "ir/program.h"
#include "support/progress_monitor.h"
#include "support/result.h"

namespace sunder {

/// Assigns modules to calls of a joint program without module stacks where the module is certain. (torch.export omits stacks in
/// joint programs.)
///
/// If forward calls have stacks, each backward call gets the stack of its forward call (trainingGraph()). Otherwise, a forward
/// call runs in a module if it is the first to read a weight of that module. A backward call runs there if it reads a weight with
/// a single forward reader, or computes its gradient. The same holds for values computed only from such weights, and items of
/// results. Calls between two such calls of a pass run in their common enclosing module, except lists, which never run. A
/// backward call never gets a deeper module than its forward call.
///
/// Stacks in the file are kept in ModuleStack::stated. Other programs and nested graphs are unchanged. Fails with
/// ErrorCode::cancelled before it changes the program. O(nodes + arguments + length of paths).
Result<void> placeTrainingModules(Program& program, ProgressMonitor& monitor);

} // namespace sunder
