#pragma once

#include "ir/graph.h"
#include "ir/module_tree.h"
#include "ir/signature.h"
#include "ir/tensor_table.h"

#include <memory>
#include <optional>
#include <string>
#include <unordered_map>
#include <vector>

namespace sunder {

class OperatorLibrary;
class SourceFile;

/// One frame of an nn_module_stack.
struct ModuleFrame {
    InternedString key;  ///< may end in "@k", the call index
    InternedString path; ///< fqn of the module
    InternedString cls;
    friend bool operator==(const ModuleFrame&, const ModuleFrame&) = default;
};

/// How it is known that a node lies in a module.
enum class PlacedBy : std::uint8_t {
    file,
    readers,     ///< its readers lie there (placeByReaders())
    weights,     ///< of a joint program: it reads weights of the module, or runs between calls that do
    forwardCall, ///< of a joint program: the forward call that it belongs to lies there (both placeTrainingModules())
};

/// The modules around a node, outermost first.
struct ModuleStack : std::vector<ModuleFrame> {
    using std::vector<ModuleFrame>::vector;
    /// Set where no file states these modules: what the file has instead, an index into Program::stacks, or nothing.
    std::optional<StackId> stated = std::nullopt;
    PlacedBy placedBy = PlacedBy::file;
};

/// Where a program came from and how its file began.
struct ProgramOrigin {
    std::string file;     ///< path it was read from; empty when made
    std::string folder;   ///< what places of weights are relative to; empty: the folder that the program runs in
    std::string format;   ///< "fx-json", "pt2", "exported-program json", …
    std::string model;    ///< name of the program in an archive that holds several
    std::string producer; ///< header of fx-json
    std::string torch;    ///< version that wrote it
    InternedString source; ///< raw JSON of the header's "source"
    InternedString extra;  ///< raw JSON object of further header keys
    /// What the file states of the whole program that has no field of its own, and that may decide on which inputs it runs or what it
    /// computes: guards, and keys that this version does not know, as raw JSON members in file order.
    std::vector<InternedString> conditions;
    std::shared_ptr<const SourceFile> opened; ///< the file as it was when it was read; null when made
};

/// The order of tags and the colours that a file gives them ("#rrggbb").
struct TagTable {
    std::vector<InternedString> order;
    std::vector<std::pair<InternedString, InternedString>> colors;
    InternedString extra = {};
};

/// What sizes were in the file, where others are assumed: hints by expression.
using FileHints = std::unordered_map<InternedString, decltype(SymbolicValue::hint)>;

/// Keys of lines without a field of their own that this version does not know, as raw JSON objects.
struct LineExtras {
    std::vector<std::pair<InternedString, InternedString>> strings; ///< text of a `str` line, its keys
    std::vector<std::pair<StackId, InternedString>> stacks;
    std::vector<std::pair<GraphId, InternedString>> graphs;
    InternedString end;
};

/// A torch.fx GraphModule or exported program with everything that fx-json can say about it. A value: passes read
/// one and return another; views share `std::shared_ptr<const Program>`.
struct Program {
    ProgramOrigin origin;
    ModuleTree modules;
    TensorTable tensors;
    std::vector<Graph> graphs;
    std::vector<ModuleId> owners; ///< per graph: the module that owns it; invalid for graphs of values
    GraphId root; ///< the graph of module ""
    std::vector<ModuleStack> stacks;
    std::optional<ExportSignature> signature;
    std::vector<ModuleCall> calls;
    std::vector<SymbolRange> ranges;
    std::optional<TagTable> tags;
    std::vector<std::string> unknownLines; ///< raw fx-json lines of kinds that this version does not know
    LineExtras extras;
    /// Schemas of operators that PyTorch does not have; null when none were given.
    std::shared_ptr<const OperatorLibrary> operators;
    /// Hints that an assumption has replaced; null while none has. See io/sympy/size_assumptions.h.
    std::shared_ptr<const FileHints> fileHints;

    [[nodiscard]] const Graph& graph(GraphId id) const { return graphs[id.index()]; }
    [[nodiscard]] Graph& graph(GraphId id) { return graphs[id.index()]; }
    [[nodiscard]] const Graph& rootGraph() const { return graphs[root.index()]; }
    [[nodiscard]] Graph& rootGraph() { return graphs[root.index()]; }
    [[nodiscard]] const Node& node(NodeRef ref) const { return graph(ref.graph).node(ref.node); }

    /// Adds an empty graph owned by `owner` (or by no module) and returns its id.
    GraphId addGraph(ModuleId owner);
    /// Nodes of all graphs together.
    [[nodiscard]] std::size_t nodeCount() const;
    /// The tensor that a target names, also below a path where a module stands once more, which lists no tensors of
    /// its own; invalid when there is none. O(depth).
    [[nodiscard]] TensorId tensorAt(InternedString target) const;
    /// The modules that a node lies in, as its file states them or else as its readers do; empty when nobody knows.
    [[nodiscard]] const ModuleStack& stackOf(const Node& node) const;
    /// The stack that the file states for a node, to be written or given to torch's passes; invalid when there is none.
    [[nodiscard]] StackId statedStack(const Node& node) const;
};

} // namespace sunder
