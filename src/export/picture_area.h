#pragma once

#include "ir/node_set.h"
#include "layout/picture/picture.h"

#include <optional>

namespace sunder {

/// The part of a picture that shows these nodes; nothing when it shows none of them. O(items).
std::optional<Rect> areaOf(const Picture& picture, const NodeSet& nodes);

} // namespace sunder
