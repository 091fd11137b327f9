#pragma once

#include "ir/program.h"

#include <QString>

#include <string>

namespace sunder::test {

/// Parses a small program, one node per line: "x = placeholder()", "y = relu(x)", "output(y)". `a = op(b, c)` calls
/// `torch.ops.test.op`, which has a schema; `a = aten.op.default(b, c)` calls `torch.ops.aten.op.default`. Other nodes are "w =
/// get_attr[lin.weight]()", "l = call_module[lin](x)", and "m = call_method[view](x, 2)". Arguments are names and integers. A
/// node may be followed by the shape of its value and its module stack, outermost first, below a root that is added: "y = relu(x)
/// : 1x8 @ layers.0 Layer > layers.0.act ReLU". "@ embed@1 Embedding" is the second call of embed.
Program programFromText(const std::string& text);

/// Adds schemas of the operators `torch.ops.test.NAME` that the root graph calls: functions of up to six arguments that write
/// nothing and return a new tensor.
void giveTestSchemas(Program& program);

/// Returns the node names and arguments of a graph in the same notation, one node per line, for comparisons.
std::string textOf(const Graph& graph);

/// Returns the path of a file below tests/cases in the repository.
std::string casePath(const std::string& relative);

/// Returns the folder with conformance cases and sample models next to the repository; empty if it does not exist.
std::string sharedFolder();

} // namespace sunder::test
