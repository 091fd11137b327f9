#pragma once

#include "ir/program.h"
#include "support/result.h"

#include <ostream>
#include <string>

namespace sunder {

/// Writes a program as a graph collection for Model Explorer: one graph for the root ("main") and one for each nested graph ("g1"
/// …), linked from the nodes that call it. Namespaces are module paths, so that modules with equal class and name stay separate;
/// parameters are in the namespace of their module. Nodes have the attributes op, target, args and kwargs as fx-json text, and
/// tag; groups have class and path. Sizes, including symbolic ones, are text. O(size of the text).
void writeModelExplorer(const Program& program, std::ostream& out);
/// The same to a file, which is replaced atomically.
Result<void> writeModelExplorer(const Program& program, const std::string& path);

/// Writes the tags of a program as node data for the file of writeModelExplorer(): tag and color of each tagged node.
void writeModelExplorerTags(const Program& program, std::ostream& out);
Result<void> writeModelExplorerTags(const Program& program, const std::string& path);

/// True if any node of the root graph has a tag.
bool hasTags(const Program& program);

} // namespace sunder
