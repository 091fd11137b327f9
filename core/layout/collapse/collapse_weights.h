#pragma once

#include "layout/collapse/collapse_units.h"

namespace sunder::collapse {

/// Fills weights, weightOf, and storageCount from get_attrs and the placeholders that the signature calls parameters, buffers,
/// constants, or objects. Bytes are those of the storage, else of the tensor, else of `val`.
void findWeights(const Program& program, GraphId graph, UnitGraph& units);

} // namespace sunder::collapse
