#pragma once

#include "ir/program.h"
#include "support/result.h"

#include <ostream>
#include <string>

namespace sunder {

/// Writes a program as a graph in DOT, the language of Graphviz.
///
/// Nodes have their names as ids. In graphs other than the root the ids are "g1/name", and each graph is a cluster. Attributes
/// correspond to fx-json (`docs/model-files.md`, "DOT"): op, target, fn, args and kwargs as fx-json text, dtype, tensor_shape
/// (Graphviz uses `shape` for node outlines and warns of unknown ones), module, and tag. Edges have dst, the argument ("1.0",
/// "kw:other"), and src if they come from an item of a tuple. Clusters are modules, with `module` and `cls`. Nodes are colored by
/// tag if the program has tags.
///
/// DOT cannot represent a backslash before a quote. In args, such characters are written as \u0022 and \u005c; elsewhere the
/// backslash is doubled. Control and bidirectional characters are escaped (visibleText()); ids stay distinct. Nodes are in graph
/// order, followed by edges and clusters. O(size of the text).
void writeDot(const Program& program, std::ostream& out);

/// The same to a file, which is replaced atomically.
Result<void> writeDot(const Program& program, const std::string& path);

} // namespace sunder
