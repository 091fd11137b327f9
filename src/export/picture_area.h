#pragma once

#include "ir/node_set.h"
#include "layout/picture/picture.h"

#include <optional>

namespace sunder {

/// Returns the area of a picture that contains these nodes; nothing if it shows none of them. O(items).
std::optional<Rect> areaOf(const Picture& picture, const NodeSet& nodes);

} // namespace sunder
