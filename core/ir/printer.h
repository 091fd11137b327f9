#pragma once

#include "ir/program.h"

#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace sunder {

/// The graph as torch.fx prints it, str(graph): a line a node, "%add : [num_users=1] = call_function[target=…](…)".
/// Functions among the arguments are printed by qualified name, where Python prints what their repr() gives, and
/// nested graph modules as "GraphModule()". O(size of the text).
std::string printGraph(const Graph& graph);

/// One line of printGraph(), torch's Node.format_node().
std::string printNode(const Graph& graph, NodeId id);

/// The forward() of a graph as torch's GraphModule.code has it, with infix operators, getattr() for names that are no
/// identifiers, and "; x = None" behind last uses. What fx-json does not carry is missing: the flattening of an
/// exported program's inputs and outputs (its code has torch.fx's plain signature), wrap() statements, and enums,
/// which print as their repr(). Union and Optional annotations print as "typing_Union[…]". O(size of the text).
std::string printCode(const Program& program, GraphId graph);

/// A callable or a class that printed code knows by a name of its own.
struct PythonImport {
    std::string name;
    std::string path;       ///< "math.sqrt"; "torch.Tensor.add" is read as an attribute rather than imported
    bool isMissing = false; ///< no line of Python can fetch it, or none should: it is no name, or reaches beyond graphs
    friend bool operator==(const PythonImport&, const PythonImport&) = default;
};

/// printCode() with the node that each line computes.
struct CodeListing {
    std::string text;
    std::vector<NodeId> nodeOfLine;    ///< per line of `text`, from 0; invalid for lines that belong to no node
    std::vector<PythonImport> imports; ///< by name; without those that every graph may use
    std::vector<std::string> notes;    ///< what the graph says and Python cannot, and what stands there instead
};

struct CodeOptions {
    bool insideClass = false; ///< the code will stand in a class, where Python changes names such as __a
    std::span<const std::string_view> taken = {}; ///< names that the file around it uses
};

/// As printCode(), for showing code beside a graph. Names and texts of the graph stand in it as Python names and literals
/// and as nothing else: a name that is none is changed or quoted, with a note. O(size of the text).
CodeListing listCode(const Program& program, GraphId graph, const CodeOptions& options = {});

/// The line that fetches it, as torch's to_folder() has it: "from math import sqrt as math_sqrt".
std::string importLine(const PythonImport& import);

} // namespace sunder
