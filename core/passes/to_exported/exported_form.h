#pragma once

#include "ir/identity_map.h"
#include "ir/program.h"
#include "support/progress_monitor.h"
#include "support/result.h"

#include <string>
#include <vector>

namespace sunder {

/// Result of exportedForm().
struct ExportedForm {
    Program program;
    IdentityMap map;                ///< nodes of the plain root graph → nodes of the exported one
    std::vector<std::string> notes; ///< behavior that the exported program lacks: default values of inputs, other constants
};

/// Converts a plain torch.fx program to an exported program. Its calls must be ATen operators, other operators with a schema, or
/// functions and methods that equal one such operator (operators/exact_call.h). All parameters and buffers, and constants read by
/// get_attr nodes, become lifted inputs, as in torch.export. Inputs and outputs are flattened, and their nesting becomes the
/// specs of the call. Calls keep their names, order and behavior; in-place writes remain, as in a non-decomposed program of
/// torch.export.
///
/// Refuses, naming node and reason: calls of modules or of functions that equal no such operator, inputs and calls without a
/// value (`val`), `*args`, and tensors read in nested graphs. Returns a program that has a signature unchanged. Linear.
Result<ExportedForm> exportedForm(const Program& source, ProgressMonitor& monitor = ProgressMonitor::none());

/// Returns an error for every node that exportedForm() refuses, at most `limit`; empty if it refuses none. Fails with
/// ErrorCode::cancelled.
Result<std::vector<Error>> exportedFormRefusals(const Program& source, std::size_t limit,
                                                ProgressMonitor& monitor = ProgressMonitor::none());

} // namespace sunder
