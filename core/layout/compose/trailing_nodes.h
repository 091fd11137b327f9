#pragma once

#include "layout/compose/body_placer.h"

namespace sunder::compose {

/// Shifts the items below a frame with columns to the right, under the exit of its edges (`exitAside`), as far as there is room.
/// Nothing is moved if an item or edge is next to the frame, because its connections would become skewed instead. The body never
/// gets wider. Linear in children and routes for each such frame.
void putBelowExits(const std::vector<ChildBox>& children, std::span<const Link> links, PlacedBody& column);

} // namespace sunder::compose
