#pragma once

#include "ir/graph.h"

namespace sunder {

/// The names that torch has given out when a graph like this one has been traced. A tracer names each node after its
/// target and may rename it later (after a variable); no name is ever given twice, so the first one counts as well.
Namespace givenNames(const Graph& graph);

} // namespace sunder
