#pragma once

#include "ir/program.h"
#include "ir/structural_hash.h"
#include "operators/operator_catalogue.h"
#include "verify/normal_call.h"

#include <unordered_set>

namespace sunder {

/// Facts about the nodes of a graph during normalization, in graph order: descriptions, tensors without a description, strides
/// that are independent of input strides, and calls that cannot fail.
class KnownGraph final : public KnownNodes {
public:
    /// `believes`: use the descriptions of tensors. They must be valid throughout the lifetime of their tensors.
    KnownGraph(Program& program, GraphId id, bool believes, OperatorCatalog& operators);

    /// Records a node in normal form. Its inputs must be recorded before. O(arguments).
    void remember(NodeId id);
    /// Whether an argument of the node is a tensor, so that Python operators and methods are the tensor versions.
    [[nodiscard]] bool takesTensor(NodeId id) const;
    /// Whether a call is pure and cannot fail. O(arguments).
    [[nodiscard]] bool succeeds(NodeId id) const;
    /// Returns the length of the tuple that a call returns; nothing if it is unknown.
    [[nodiscard]] std::optional<std::int64_t> resultsOf(const Argument& argument) const;
    /// Whether a getitem node has a valid constant index into a tuple of known length.
    [[nodiscard]] bool isKnownItem(const Node& node) const;
    /// Removes the empty descriptions that were added to undescribed tensors. Call when done.
    void forget();

    [[nodiscard]] bool isTensor(const Argument& argument) const override;
    [[nodiscard]] const Node* maker(const Argument& argument) const override;
    [[nodiscard]] const Argument* value(const Argument& argument) const override;
    [[nodiscard]] const TensorMeta* tensor(const Argument& argument) const override;
    [[nodiscard]] bool hasFixedStrides(const Argument& argument) const override;
    [[nodiscard]] bool isPrivate(const Argument& argument, NodeId call) const override;
    [[nodiscard]] std::uint64_t shapeOf(const Argument& argument) const override;
    [[nodiscard]] const OperatorSchema* schema(InternedString target) const override;

private:
    /// Whether a placeholder has known strides: it is a tensor of the model, or has no dimensions.
    [[nodiscard]] bool isOfModel(NodeId id) const;
    void rememberCall(NodeId id, const OperatorFacts& facts);
    [[nodiscard]] TensorId tensorOfModel(InternedString target) const;
    /// Returns the class of the leaf module that a node calls; empty if the module has a graph or is unknown.
    [[nodiscard]] std::string_view leafClass(const Node& node) const;
    /// Marks an undescribed value as a tensor.
    void takeForTensor(NodeId id);
    /// Whether a leaf module is a PyTorch module that maps one tensor to one tensor.
    [[nodiscard]] bool returnsTensor(const Node& node) const;
    /// Marks inputs that are passed as tensor arguments, because such a call raises for any other type.
    void findTensorInputs();
    /// Whether a getitem node takes the first result of a recurrent or attention module.
    [[nodiscard]] bool isFirstOfModule(const Node& item) const;
    /// Whether a Python operator returns a tensor: it is applied to tensors and numbers, or takes an item of a tensor.
    [[nodiscard]] bool returnsTensorByOperator(const Node& node) const;
    /// Whether a call permutes existing dimensions of a described tensor, or adds one.
    [[nodiscard]] bool isPossibleView(const Node& node, std::string_view name) const;
    /// Whether all node arguments of a call are described tensors that are passed as tensors.
    [[nodiscard]] bool takesOnlyTensors(const Node& node, const OperatorSchema& schema) const;
    /// Whether an operator returns new memory and does not keep a reference to its arguments.
    [[nodiscard]] bool returnsNewMemory(const Node& node) const;
    /// Records that the result of an elementwise call has the shape of its operand, and describes the result if the file does
    /// not.
    void followShape(NodeId id);
    /// Returns the value whose shape this one has, according to the calls between them.
    [[nodiscard]] NodeId shapedLike(NodeId id) const;
    [[nodiscard]] bool fitsOverload(const Node& node) const;
    /// Whether a metadata assertion agrees with the description of its tensor.
    [[nodiscard]] bool holds(const Node& assertion) const;
    /// Whether a call adds or multiplies two tensors of equal shape.
    [[nodiscard]] bool isOfEqualTensors(const Node& node, std::string_view name) const;
    void put(NodeId id, std::uint64_t shape, bool hasFixedStrides);

    Program& m_program;
    bool m_isRoot;
    bool m_believes;
    ModuleId m_owner; ///< the module whose attributes the graph reads; may be invalid
    Graph& m_graph;
    OperatorCatalog& m_operators;
    std::uint64_t m_placeholders = 0; ///< number so far
    mutable StructuralHash m_hash{{.symbols = false, .objects = false, .graphs = false}}; ///< caches texts
    std::vector<std::uint64_t> m_shapes; ///< by NodeId
    std::vector<bool> m_hasFixedStrides; ///< by NodeId
    std::unordered_set<NodeId> m_userInputs;
    std::unordered_set<NodeId> m_tensorInputs;
    std::unordered_set<NodeId> m_takenForTensors; ///< values that got an empty description as `val`
    std::vector<NodeId> m_shapedLike; ///< by NodeId; invalid: no other value is known to have this shape
    std::vector<NodeId> m_describedHere; ///< elementwise results whose `val` is not from the file
};

/// Returns the module that a node of a graph names; invalid if there is none. O(depth).
ModuleId namedModule(const Program& program, ModuleId owner, InternedString target);

} // namespace sunder
