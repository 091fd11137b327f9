#pragma once

#include "document/document.h"

namespace sunder {

/// Gives the call nodes among `nodes` a tag as one undo step that says what was painted: "Paint R1 ×32: 1,728 ops".
/// Returns how many changed.
int paintAs(Document& document, std::span<const NodeId> nodes, int tag, const QString& what);

} // namespace sunder
