#pragma once

#include "document/document.h"

#include <span>

namespace sunder {

/// Activates the most frequent tag of the ops among `nodes` and reports it with Document::messageEmitted().
void pickTag(Document& document, std::span<const NodeId> nodes);

} // namespace sunder
