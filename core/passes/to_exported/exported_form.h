#pragma once

#include "ir/identity_map.h"
#include "ir/program.h"
#include "support/progress_monitor.h"
#include "support/result.h"

#include <string>
#include <vector>

namespace sunder {

/// A plain torch.fx program as an exported program.
struct ExportedForm {
    Program program;
    IdentityMap map;                ///< nodes of the plain root graph to those of the exported one
    std::vector<std::string> notes; ///< what the exported program no longer does: defaults of inputs, other constants
};

/// Makes an exported program of a plain torch.fx one whose calls are operators of ATen or others with a schema, or
/// functions and methods that are one such operator (operators/exact_call.h). Parameters, buffers and constants that
/// get_attr nodes read become lifted inputs, parameters and buffers that nothing reads too, as torch.export has it; inputs
/// and outputs are taken apart into leaves, and their nesting becomes the specs of the call. Calls keep their names and
/// order, and do the same; writes in place stay, as in a program of torch.export that is not decomposed.
///
/// Refuses, with the node and the reason: calls of modules, of what is no such operator, inputs and calls without a value
/// (`val`), `*args`, tensors read in nested graphs. A program with a signature comes back as it is. Linear.
Result<ExportedForm> exportedForm(const Program& source, ProgressMonitor& monitor = ProgressMonitor::none());

/// All nodes that exportedForm() refuses, at most `limit`, each as the error that it would be alone; none where it refuses nothing.
std::vector<Error> exportedFormRefusals(const Program& source, std::size_t limit,
                                        ProgressMonitor& monitor = ProgressMonitor::none());

} // namespace sunder
