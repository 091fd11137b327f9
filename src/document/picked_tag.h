#pragma once

#include "document/document.h"

#include <span>

namespace sunder {

/// Makes the tag active that most of the ops among `nodes` have, and says which that is (Document::said()).
void pickTag(Document& document, std::span<const NodeId> nodes);

} // namespace sunder
