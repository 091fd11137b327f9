#pragma once

#include "ir/program.h"

#include <span>

namespace sunder {

/// Gives `target`, whose root graph was made from that of `source`, the export signature of the source and the entry
/// of the whole in the module call graph, under the new names. `mainNodes` says, per NodeId of the source's root
/// graph, which node of the target's holds its value. Without a signature only the entry, where there is one. O(nodes).
void carrySignature(const Program& source, std::span<const NodeId> mainNodes, Program& target);

} // namespace sunder
