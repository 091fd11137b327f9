#pragma once

#include "ir/program.h"

#include <string>
#include <vector>

namespace sunder::test {

struct CompareOptions {
    bool signature = true; ///< signature, module calls and ranges too
    bool operands = false; ///< instead of args and kwargs, the nodes in them in order
};

/// What differs between two programs, a sentence each, at most `most`; empty when they are equal as oracle/compare.py
/// sees it: the graph of every module node by node (name, op, target, args, kwargs; type, tag and val where both have
/// them), the module tree with its order and aliases, the graphs of dispatchers, tensors with shared memory. How ids,
/// storages and strides are spelled does not matter.
std::vector<std::string> differences(const Program& expected, const Program& actual, const CompareOptions& options = {},
                                     std::size_t most = 5);

/// A value as text in which nodes stand by name and graphs by the place of their first use.
std::string textOf(const Program& program, GraphId graph, const Argument& value);

} // namespace sunder::test
