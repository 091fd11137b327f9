#pragma once

#include "ir/program.h"
#include "support/result.h"

#include <ostream>
#include <string>

namespace sunder {

/// Writes a program as a graph in DOT, for Graphviz and its friends. Nodes are called by their names; of graphs that are
/// not the root, by "g1/name", each in a cluster of its own. Attributes say what fx-json does (`docs/model-files.md`,
/// "DOT"): op, target, fn, args and kwargs as fx-json text, dtype, tensor_shape (`shape` is Graphviz's word for the
/// outline of a node, and it warns of one that it does not know), module, tag; edges have dst, the argument
/// ("1.0", "kw:other"), and src where they come from an item of a tuple. Clusters are modules, with `module` and `cls`.
/// Tags are colours where the program has any for them.
///
/// DOT cannot say a backslash before a quote: in args such characters are written as \u0022 and \u005c; elsewhere the
/// backslash is doubled. Controls and marks of direction are escaped (visibleText()); of ids they leave different ones
/// different. Nodes come in graph order, then edges, then clusters. O(size of the text).
void writeDot(const Program& program, std::ostream& out);

/// The same to a file, which appears whole or not at all.
Result<void> writeDot(const Program& program, const std::string& path);

} // namespace sunder
