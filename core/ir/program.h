#pragma once

#include "ir/argument.h"
#include "ir/graph.h"
#include "ir/module_tree.h"
#include "ir/tensor_table.h"
#include "ir/tree_spec.h"

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <unordered_map>
#include <vector>

namespace sunder {

enum class InputKind : std::uint8_t { parameter, buffer, constant, object, token, user };
/// Whether an input is part of the model: a parameter, buffer, constant, or object.
constexpr bool isLifted(InputKind kind)
{
    return kind != InputKind::user && kind != InputKind::token;
}

enum class OutputKind : std::uint8_t {
    user,
    bufferMutation,
    parameterMutation,
    inputMutation,
    loss,
    gradient,
    token,
};

/// Returns "user", "buffer_mutation", "parameter_mutation", "input_mutation", "loss", "gradient" or "token".
std::string_view outputKindName(OutputKind kind);

/// The role of a placeholder in an exported program.
struct InputSpec {
    InputKind kind = InputKind::user;
    InternedString target; ///< fqn of the parameter, buffer, constant, or object
    InternedString name;   ///< placeholder; empty for a user input (see value)
    std::optional<bool> persistent = {}; ///< for a buffer
    Argument value = {};   ///< for a user input: the node, or a literal
    InternedString extra = {};
};

/// The role of an output in an exported program.
struct OutputSpec {
    OutputKind kind = OutputKind::user;
    InternedString target; ///< fqn that is written or differentiated; placeholder of an input mutation
    InternedString name;   ///< node that provides the value; empty for user outputs and losses (see value)
    Argument value = {};
    InternedString extra = {};
};

/// The export signature of the root graph, in the order of its placeholders and of its flat outputs. Nodes in values are nodes of
/// the root graph.
struct ExportSignature {
    std::vector<InputSpec> inputs;
    std::vector<OutputSpec> outputs;
    InternedString extra = {};
};

/// Replaces names of nodes in a signature by `nameOf` of them; empty names stay empty.
void renameNodes(ExportSignature& signature, const std::function<InternedString(InternedString)>& nameOf);

/// Replaces nodes in the values of a signature by `replace(NodeId) -> Argument`.
template <typename Replace>
void replaceNodes(ExportSignature& signature, const Replace& replace)
{
    for (InputSpec& input : signature.inputs)
        input.value = mapNodes(input.value, replace);
    for (OutputSpec& output : signature.outputs)
        output.value = mapNodes(output.value, replace);
}

/// One entry of the module call graph. The last five fields are present only if the call signature is preserved.
struct ModuleCall {
    InternedString fqn;
    bool hasSignature = false;
    StoredTreeSpec inSpec = {};
    StoredTreeSpec outSpec = {};
    std::optional<std::vector<InternedString>> argNames = {};
    Arguments inputs = {}; ///< values; nodes are nodes of the root graph
    Arguments outputs = {};
    InternedString extra = {};
};

/// Replaces nodes in the values of a module call by `replace(NodeId) -> Argument`.
template <typename Replace>
void replaceNodes(ModuleCall& call, const Replace& replace)
{
    call.inputs = mapNodes(call.inputs, replace);
    call.outputs = mapNodes(call.outputs, replace);
}

/// Bounds of a symbol. An absent bound means unbounded.
struct SymbolRange {
    InternedString symbol;
    std::optional<std::int64_t> min;
    std::optional<std::int64_t> max;
    InternedString extra = {};
};

class OperatorLibrary;
class SourceFile;

/// One frame of an nn_module_stack.
struct ModuleFrame {
    InternedString key; ///< may end in "@k", the call index
    InternedString path; ///< fqn of the module
    InternedString cls;
    friend bool operator==(const ModuleFrame&, const ModuleFrame&) = default;
};

/// How the module of a node was determined.
enum class PlacedBy : std::uint8_t {
    file,
    readers, ///< derived from its users (placeByReaders())
    weights, ///< in a joint program: it reads weights of the module, or runs between ops that do
    forwardCall, ///< in a joint program: derived from the corresponding forward op (both in placeTrainingModules())
};

/// The enclosing modules of a node, outermost first.
struct ModuleStack : std::vector<ModuleFrame> {
    using std::vector<ModuleFrame>::vector;
    /// Set if the modules are not from a file: the stack stated by the file, as an index into Program::stacks, or nothing.
    std::optional<StackId> stated = std::nullopt;
    PlacedBy placedBy = PlacedBy::file;
};

/// The origin of a program, and the header of its file.
struct ProgramOrigin {
    std::string file; ///< path of the file; empty if the program was not read from one
    std::string folder; ///< base folder for paths of weights; if empty, the working directory
    std::string format; ///< "fx-json", "pt2", "exported-program json", …
    std::string model; ///< name of the program in an archive with several programs
    std::string producer; ///< header of fx-json
    std::string torch; ///< version that wrote it
    InternedString source; ///< raw JSON of the header's "source"
    InternedString extra; ///< raw JSON object of other header keys
    /// Statements about the whole program that have no field of their own and that may affect the accepted inputs or the
    /// computation: guards and unknown keys, as raw JSON members in file order.
    std::vector<InternedString> conditions;
    std::shared_ptr<const SourceFile> opened; ///< the state of the file when it was read; null if there is none
};

/// The order of tags, and their colors in the file ("#rrggbb").
struct TagTable {
    std::vector<InternedString> order;
    std::vector<std::pair<InternedString, InternedString>> colors;
    InternedString extra = {};
};

/// The sizes stated by the file, if others are assumed: hints by expression.
using FileHints = std::unordered_map<InternedString, decltype(SymbolicValue::hint)>;

/// Unknown keys of lines without a field of their own, as raw JSON objects.
struct LineExtras {
    std::vector<std::pair<InternedString, InternedString>> strings; ///< text of a `str` line and its keys
    std::vector<std::pair<StackId, InternedString>> stacks;
    std::vector<std::pair<GraphId, InternedString>> graphs;
    InternedString end;
};

/// A torch.fx GraphModule or exported program, with everything that fx-json can represent. A value type: passes take one and
/// return another, and views share a `std::shared_ptr<const Program>`.
struct Program {
    ProgramOrigin origin;
    ModuleTree modules;
    TensorTable tensors;
    std::vector<Graph> graphs;
    std::vector<ModuleId> owners; ///< per graph: the module that owns it; invalid for graphs that are values
    GraphId root; ///< the graph of module ""
    std::vector<ModuleStack> stacks;
    std::optional<ExportSignature> signature;
    std::vector<ModuleCall> calls;
    std::vector<SymbolRange> ranges;
    std::optional<TagTable> tags;
    std::vector<std::string> unknownLines; ///< raw fx-json lines of unknown kinds
    LineExtras extras;
    /// Schemas of operators that PyTorch does not have; null if none were provided.
    std::shared_ptr<const OperatorLibrary> operators;
    /// Hints that assumed sizes replaced; null if there are none. See io/sympy/size_assumptions.h.
    std::shared_ptr<const FileHints> fileHints;

    [[nodiscard]] const Graph& graph(GraphId id) const { return graphs[id.index()]; }
    [[nodiscard]] Graph& graph(GraphId id) { return graphs[id.index()]; }
    [[nodiscard]] const Graph& rootGraph() const { return graphs[root.index()]; }
    [[nodiscard]] Graph& rootGraph() { return graphs[root.index()]; }
    [[nodiscard]] const Node& node(NodeRef ref) const { return graph(ref.graph).node(ref.node); }

    /// Adds an empty graph owned by `owner` (or by no module) and returns its id.
    GraphId addGraph(ModuleId owner);
    /// Returns the number of nodes in all graphs.
    [[nodiscard]] std::size_t nodeCount() const;
    /// Returns the tensor that a target names, also below an alias of a module, which lists no tensors of its own; invalid if
    /// there is none. O(depth).
    [[nodiscard]] TensorId tensorAt(InternedString target) const;
    /// Returns the enclosing modules of a node, as stated by the file or derived from its users; empty if unknown.
    [[nodiscard]] const ModuleStack& stackOf(const Node& node) const;
    /// Returns the stack that the file states for a node, for writers and for reproducing PyTorch's passes; invalid if there is
    /// none.
    [[nodiscard]] StackId statedStack(const Node& node) const;
};

/// Returns the first node of a graph that calls the module at a path; invalid if there is none. O(nodes).
NodeId moduleCall(const Graph& graph, InternedString path);

} // namespace sunder
