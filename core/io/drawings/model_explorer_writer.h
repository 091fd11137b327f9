#pragma once

#include "ir/program.h"
#include "support/result.h"

#include <ostream>
#include <string>

namespace sunder {

/// Writes a program as a graph collection of Model Explorer: a graph each for the root ("main") and for what it holds
/// ("g1" …), reached from the nodes that call it. Namespaces are module paths, so that modules of one class and one name
/// stay apart; parameters stand in their modules. Attributes of nodes: op, target, args and kwargs as fx-json text, tag;
/// of groups: class and path. Sizes are text, symbolic ones too. O(size of the text).
void writeModelExplorer(const Program& program, std::ostream& out);
/// The same to a file, which appears whole or not at all.
Result<void> writeModelExplorer(const Program& program, const std::string& path);

/// The tags of a program as node data for the file of writeModelExplorer(): tag and colour of each tagged node.
void writeModelExplorerTags(const Program& program, std::ostream& out);
Result<void> writeModelExplorerTags(const Program& program, const std::string& path);

/// True when a node of the root graph bears a tag.
bool hasTags(const Program& program);

} // namespace sunder
