#pragma once

#include "operators/operator_catalogue.h"
#include "support/progress_monitor.h"

#include <unordered_set>

namespace sunder {

/// Features that occur in either of two programs. Features that occur in neither need not be tracked.
struct ProgramTraits {
    bool writes = false;   ///< in-place writes occur, or may occur, or the signature writes back to shared memory
    bool reshapes = false; ///< shapes, strides, or storages change in place
    bool layouts = false;  ///< a call depends on offsets, strides, or storages of tensors (dependsOnLayout)
    bool changesContainers = false; ///< lists, dicts, or sets are modified, or may be
    bool reachesMemory =
        false; ///< a call may access memory beyond the elements of its arguments: as_strided, storages, unknown calls
    bool random = false;   ///< random numbers may be drawn
    bool switchesModes = false; ///< grad mode or inference mode changes, so a view depends on where it is created
    /// Tensors may occur that are not strided or have dtypes other than those of `hasUsualKernels`. Promises of success then do
    /// not hold.
    bool unusualTensors = false;
    bool findsObjects = false; ///< a call depends on tensor identity: searches in lists, keys of dicts
    bool changesObjects = false; ///< a call changes a tensor but not its views: shape, requires_grad
    /// Neither program is known to succeed for any input: descriptions end before the last calls, or an assertion is False.
    bool mayAlwaysFail = false;
    std::unordered_set<InternedString> effects; ///< operators called through with_effects
};

/// Collects the traits in two passes over the nodes of all graphs. Fails with ErrorCode::cancelled.
Result<ProgramTraits> traitsOf(const Program& a, const Program& b, OperatorCatalog& operators,
                               ProgressMonitor& monitor = ProgressMonitor::none());

} // namespace sunder
