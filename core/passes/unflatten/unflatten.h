#pragma once

#include "ir/identity_map.h"
#include "ir/program.h"
#include "support/diagnostic.h"
#include "support/progress_monitor.h"

namespace sunder {

/// Handling of an intermediate value of a buffer that a module with a preserved signature reads without receiving it as an
/// argument.
enum class CrossingValues : std::uint8_t {
    buffer,    ///< write it to the buffer where it is produced, and read it from there
    attribute, ///< give it its own buffer, `__ival__NAME`, as PyTorch before 2.7 did
};

struct UnflattenOptions {
    /// Reproduces PyTorch's result even if it is not equivalent to the program.
    bool asUpstream = false;
    CrossingValues crossing = CrossingValues::buffer;
    /// Results share memory with buffers and inputs as in the original module: a result that the program writes back is the
    /// buffer or input itself, and views of its new value do not share that memory. PyTorch's unflatten does the reverse.
    bool sharedResults = false;
};

/// A tree of modules, each with its graph, made from one flat graph.
struct UnflattenResult {
    Program program; ///< one module per module of the exported model; dispatchers for repeated preserved calls
    IdentityMap map; ///< nodes of the source → nodes of `program`
    Diagnostics notes; ///< dropped signatures and ops, truncated stacks
};

/// torch.export.unflatten: restores the module hierarchy of an exported program. Nodes are assigned to modules by their
/// nn_module_stack and call index; parameters, buffers and constants become attributes; mutations happen in place; equal calls of
/// a module share a graph; modules with a preserved signature keep it, and become dispatchers if called several times.
///
/// Equals PyTorch 2.13 where that is correct. Elsewhere, calls are kept separate, and the signature of a module is dropped if a
/// value enters it implicitly; a note reports this.
///
/// Refuses programs with a backward signature or without a signature, a node that reads a tensor of a module whose stacks are
/// lost, and a stack that is no path. Linear in nodes plus arguments, times the depth of the module tree.
Result<UnflattenResult> unflatten(const Program& source, const UnflattenOptions& options = {},
                                  ProgressMonitor& monitor = ProgressMonitor::none());

} // namespace sunder
