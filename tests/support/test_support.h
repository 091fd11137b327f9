#pragma once

#include "ir/program.h"

#include <QString>

#include <string>

namespace sunder::test {

/// A small program written as text, one node a line: "x = placeholder()", "y = relu(x)", "output(y)". `a = op(b, c)` calls
/// `torch.ops.test.op`, which has a schema, `a = aten.op.default(b, c)` calls `torch.ops.aten.op.default`; other nodes are
/// "w = get_attr[lin.weight]()", "l = call_module[lin](x)", "m = call_method[view](x, 2)". Values are names, integers.
/// Behind a node may stand the shape of its value and its module stack, outermost first, below a root that is added:
/// "y = relu(x) : 1x8 @ layers.0 Layer > layers.0.act ReLU"; "@ embed@1 Embedding" is the second call of embed.
Program programFromText(const std::string& text);

/// Gives the program schemas of the operators `torch.ops.test.NAME` that its root graph calls: functions of up to six
/// arguments, which write nothing and give a new tensor.
void giveTestSchemas(Program& program);

/// Node names and arguments of a graph in the same notation, one node a line: what tests compare.
std::string textOf(const Graph& graph);

/// Path of a file below the repository's tests/cases.
std::string casePath(const std::string& relative);

/// Folder with conformance cases and sample models beside the repository; empty when it is not there.
std::string sharedFolder();

} // namespace sunder::test
