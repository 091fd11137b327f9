#pragma once

#include "ir/program.h"

#include <string>
#include <vector>

namespace sunder::test {

struct CompareOptions {
    bool signature = true; ///< compare the signature, module calls, and ranges
    bool operands = false; ///< compare only the nodes among args and kwargs, in order
};

/// Returns the differences between two programs, one sentence each, at most `most`; empty if they are equal by the rules of
/// oracle/compare.py. Compares the graph of every module node by node (name, op, target, args, kwargs; type, tag, and val if both
/// have them), the module tree with its order and aliases, the graphs of dispatchers, and tensors with shared memory. The
/// spelling of ids, storages, and strides does not matter.
std::vector<std::string> differences(const Program& expected, const Program& actual, const CompareOptions& options = {},
                                     std::size_t most = 5);

/// Returns a value as text in which nodes appear by name and graphs by the place of their first use.
std::string textOf(const Program& program, GraphId graph, const Argument& value);

} // namespace sunder::test
