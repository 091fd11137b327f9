#pragma once

#include "ir/program.h"
#include "support/result.h"

#include <span>

namespace sunder {

/// Checks that every module which `targeting` calls or reads from exists in the module tree. `targeting`: call_module and
/// get_attr nodes of the root graph. Returns ErrorCode::refused otherwise; the message names the node and the path. Always
/// succeeds if the module tree contains only the root. O(targets × their depth).
Result<void> checkTargets(const Program& program, std::span<const NodeId> targeting);

/// Returns the origin of a pass result: that of its source, without the file and its format.
inline ProgramOrigin resultOrigin(const Program& source)
{
    ProgramOrigin origin = source.origin;
    origin.file.clear();
    origin.format.clear();
    return origin;
}

/// Returns a result that holds no graphs, modules and tensors yet: the origin and the tables that nodes and values of `source`
/// refer to.
Program emptyResult(const Program& source);

/// Copies the export signature of `source` and the root entry of its module call graph to `target`, with names replaced by those
/// of the target's root graph. The target's root graph must have been made from that of the source. `mainNodes`: per NodeId of
/// the source's root graph, the node of the target's root graph that holds its value. Without a signature, copies only the root
/// entry, if there is one. O(nodes).
void carrySignature(const Program& source, std::span<const NodeId> mainNodes, Program& target);

} // namespace sunder
