#pragma once

#include "operators/operator_catalogue.h"
#include "support/progress_monitor.h"

#include <unordered_set>

namespace sunder {

/// What two programs do at all, so that what neither does need not be followed.
struct ProgramTraits {
    bool writes = false;   ///< something is written in place, or may be, or written back to memory that several tensors share
    bool reshapes = false; ///< shapes, strides or storages change in place
    bool layouts = false;  ///< something hangs on offsets, strides or storages of tensors (hangsOnLayout)
    bool changesContainers = false; ///< lists, dicts or sets are changed, or may be
    bool reachesMemory =
        false; ///< a call may reach memory beside the elements of its arguments: as_strided, storages, unknown calls
    bool random = false;   ///< random numbers may be drawn
    bool switchesModes = false; ///< gradients or inference mode are switched on or off: a view then depends on where it is made
    /// Tensors of other dtypes than `hasUsualKernels`, or other layouts than strided, may occur: promises of success do not hold.
    bool unusualTensors = false;
    bool findsObjects = false; ///< something asks which tensor is which: lists for a tensor, keys of dicts
    bool changesObjects = false; ///< something changes a tensor, but not the views of it: its shape, requires_grad
    /// Neither program is known to run for any input: descriptions end before the last calls, or an assertion is False.
    bool mayAlwaysFail = false;
    std::unordered_set<InternedString> effects; ///< operators called by with_effects
};

/// One pass over the nodes of all graphs. Unfinished once `monitor` was cancelled.
ProgramTraits traitsOf(const Program& a, const Program& b, OperatorCatalogue& operators,
                       ProgressMonitor& monitor = ProgressMonitor::none());

} // namespace sunder
