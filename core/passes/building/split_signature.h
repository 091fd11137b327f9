#pragma once

#include "ir/program.h"

#include <span>

namespace sunder {

/// Copies the export signature of `source` and the root entry of its module call graph to `target`, with names replaced by those
/// of the target's root graph. The target's root graph must have been made from that of the source. `mainNodes`: per NodeId of
/// the source's root graph, the node of the target's root graph that holds its value. Without a signature, copies only the root
/// entry, if there is one. O(nodes).
void carrySignature(const Program& source, std::span<const NodeId> mainNodes, Program& target);

} // namespace sunder
