#pragma once

#include "passes/unflatten/flat_tensors.h"
#include "passes/unflatten/outline.h"

#include <vector>

namespace sunder {

/// Lets calls of one module with equal graphs share one object. A later call with the same path takes the name of the earlier
/// one; with another path it becomes an alias. Graphs are equal if their nodes and their callees are. torch ignores callees,
/// which `asUpstream` reproduces. Returns, per call, the call whose object it shares. Hashes each graph once: linear.
std::vector<std::uint32_t> mergeEqualCalls(Outline& outline, const CallSignatures& signatures, bool asUpstream);

/// Creates a dispatcher for every module with a preserved signature that is called several times. The dispatcher runs the graphs
/// of the calls in turn. `merged`: result of mergeEqualCalls().
void makeDispatchers(Outline& outline, const CallSignatures& signatures, const std::vector<std::uint32_t>& merged);

} // namespace sunder
