#pragma once

#include "ir/program.h"

#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace sunder {

/// Prints the graph like torch.fx's str(graph), one line per node: "%add : [num_users=1] = call_function[target=…](…)". Functions
/// in arguments are printed by qualified name instead of their repr(), and nested graph modules as "GraphModule()". O(size of the
/// text).
std::string printGraph(const Graph& graph);

/// Prints one line of printGraph(): torch.fx's Node.format_node().
std::string printNode(const Graph& graph, NodeId id);

/// Prints the forward() of a graph like torch.fx's GraphModule.code, with infix operators, getattr() for names that are not
/// identifiers, and "; x = None" after last uses. Omits information that fx-json does not store: the flattening of an exported program's
/// inputs and outputs (its code has torch.fx's plain signature), wrap() statements, and enums, which are printed as their repr().
/// Union and Optional annotations are printed as "typing_Union[…]". O(size of the text).
std::string printCode(const Program& program, GraphId graph);

/// A callable or class that printed code refers to by a global name.
struct PythonImport {
    std::string name;
    std::string path; ///< "math.sqrt"; "torch.Tensor.add" is read as an attribute rather than imported
    bool isMissing = false; ///< cannot or must not be imported: not a Python name, or reaches beyond graphs
    friend bool operator==(const PythonImport&, const PythonImport&) = default;
};

/// The output of printCode(), with the node of each line.
struct CodeListing {
    std::string text;
    std::vector<NodeId> nodeOfLine; ///< per line of `text`, from 0; invalid for lines without a node
    std::vector<PythonImport> imports; ///< by name, without names that every graph can use
    std::vector<std::string> notes; ///< content that Python cannot express, and its replacement
};

struct CodeOptions {
    bool insideClass = false; ///< the code is for a class, where Python mangles names such as __a
    std::span<const std::string_view> taken = {}; ///< names used by the surrounding file
};

/// Like printCode(), for display of code next to a graph. Names and texts of the graph appear only as Python names and literals:
/// an invalid name is changed or quoted, and reported in a note. O(size of the text).
CodeListing listCode(const Program& program, GraphId graph, const CodeOptions& options = {});

/// Returns the import line, as written by torch.fx's to_folder(): "from math import sqrt as math_sqrt".
std::string importLine(const PythonImport& import);

} // namespace sunder
