#pragma once

#include "document/document.h"

namespace sunder {

/// Makes the tag of these nodes the active one, where they have several the one that most of the calls among them have. Returns
/// what came of it, as a sentence.
QString pickTagOf(Document& document, std::span<const NodeId> nodes);

} // namespace sunder
