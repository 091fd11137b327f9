#pragma once

#include "ir/program.h"
#include "support/progress_monitor.h"

namespace sunder {

/// Gives calls of a joint program that a file leaves without a module stack the modules in which they run, as far as that is certain.
/// (torch.export keeps no stacks in a joint program.) Where forward calls have stacks, each backward call lies where the forward call
/// does that it belongs to (trainingGraph()). Where none has, a forward call that is the first to read a weight of a module lies in it, and
/// so does a backward call that reads a weight that one forward call alone reads, or gives its gradient: weights, what is made of them
/// alone, and items of results. What runs between two such calls of a pass lies in the modules around both, but for lists, which do not run;
/// a backward call lies nowhere where its forward call does not. What the file states is kept beside it (ModuleStack::stated). Other
/// programs, and nested graphs, stay as they are. Places nothing once `monitor` was cancelled. O(nodes + arguments + length of paths).
void placeTrainingModules(Program& program, ProgressMonitor& monitor = ProgressMonitor::none());

} // namespace sunder
