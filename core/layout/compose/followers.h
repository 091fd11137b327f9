#pragma once

#include "layout/compose/body_placer.h"

namespace sunder::compose {

/// Puts what follows a frame that is set in columns below the place where edges leave it, as far as there is room at the right.
/// Not where something stands or passes beside the frame: then that would be led aside instead.
/// Such frames say so by `exitAside`. Nothing gets wider. Linear in children and routes for each such frame.
void putBelowExits(const std::vector<ChildBox>& children, std::span<const Link> links, PlacedBody& column);

} // namespace sunder::compose
