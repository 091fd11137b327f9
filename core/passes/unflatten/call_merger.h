#pragma once

#include "passes/unflatten/outline.h"
#include "passes/unflatten/tensor_groups.h"

#include <vector>

namespace sunder {

/// Gives calls of one module with equal graphs one object. A later call by the same path takes the name of the earlier
/// one; by another path it becomes an alias. Two graphs are equal when their nodes are, with what they call: torch
/// does not look at the latter, which `asUpstream` reproduces. Returns, per call, the call whose object it now has.
/// Each graph is hashed once: linear.
std::vector<std::uint32_t> mergeEqualCalls(Outline& outline, const CallSignatures& signatures, bool asUpstream);

/// Makes a dispatcher of every module with a preserved signature that is called several times: it runs the graphs of
/// its calls in turn. `merged` is what mergeEqualCalls() returned.
void makeDispatchers(Outline& outline, const CallSignatures& signatures, const std::vector<std::uint32_t>& merged);

} // namespace sunder
