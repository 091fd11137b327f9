#pragma once

#include "ir/identity_map.h"
#include "ir/program.h"
#include "support/diagnostic.h"
#include "support/progress_monitor.h"

namespace sunder {

/// What becomes of an intermediate value of a buffer that a module with a preserved signature reads though it is none
/// of its arguments.
enum class CrossingValues : std::uint8_t {
    buffer,    ///< it is written to the buffer where it is made, and read from there
    attribute, ///< it gets a buffer of its own, `__ival__NAME`, as PyTorch before 2.7 did
};

struct UnflattenOptions {
    /// Reproduces what PyTorch does where that computes something else than the program.
    bool asUpstream = false;
    CrossingValues crossing = CrossingValues::buffer;
    /// Passes tensors from module to module as arguments before they become reads, as torch does and as is done anyway
    /// where it matters. Slower, the same result.
    bool passTensors = false;
    /// Results share memory with buffers and inputs as those of the program's module do: a result that the program writes back is
    /// the buffer or input itself, and views of its new value are not in that memory. PyTorch's unflatten does the reverse.
    bool sharedResults = false;
};

/// A tree of modules with a graph each, made from one flat graph.
struct UnflattenResult {
    Program program; ///< a module for every module of the exported model; dispatchers for repeated preserved calls
    IdentityMap map; ///< nodes of the source → nodes of `program`
    Diagnostics notes; ///< signatures that were given up, stacks that were cut
};

/// torch.export.unflatten: gives an exported program its module hierarchy back. Nodes go into modules by their
/// nn_module_stack and call index; parameters, buffers and constants become attributes; mutations happen in place;
/// equal calls of a module share a graph; modules with a preserved signature keep it, and those called several times
/// become dispatchers. Equal to PyTorch 2.13 where that is right. Where it is not, calls stay apart, and a signature is
/// given up when a value reaches its module by the side; a note says so. Refuses programs with a backward signature,
/// without a signature, with a node that has no module stack, with a stack that is no path. Linear in nodes plus
/// arguments, times the depth of the module tree.
Result<UnflattenResult> unflatten(const Program& source, const UnflattenOptions& options = {},
                                  ProgressMonitor& monitor = ProgressMonitor::none());

} // namespace sunder
