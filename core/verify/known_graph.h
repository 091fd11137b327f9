#pragma once

#include "ir/program.h"
#include "operators/operator_catalogue.h"
#include "verify/normal_call.h"

#include <unordered_set>

namespace sunder {

/// Facts about the nodes of one graph during normalization, in graph order: their descriptions, tensors without a description, strides
/// that do not depend on the strides of inputs, and calls that cannot fail.
class KnownGraph final : public KnownNodes {
public:
    /// `believes`: descriptions of tensors are used. They must be valid for the lifetime of their tensors.
    KnownGraph(Program& program, GraphId id, bool believes, OperatorCatalogue& operators);

    /// Records a node in normal form. Its inputs must be recorded before. O(arguments).
    void remember(NodeId id);
    /// Whether an argument of the node is a tensor, so that Python operators and methods are those of tensors.
    [[nodiscard]] bool takesTensor(NodeId id) const;
    /// Whether a call is pure and cannot fail. O(arguments).
    [[nodiscard]] bool succeeds(NodeId id) const;
    /// The length of the tuple that a call returns; nothing if it is not known.
    [[nodiscard]] std::optional<std::int64_t> resultsOf(const Argument& argument) const;
    /// Whether a getitem node has a valid constant index into a tuple of known length.
    [[nodiscard]] bool isKnownItem(const Node& node) const;
    /// Removes the empty descriptions of tensors that the file does not describe. Call at the end.
    void forget();

    [[nodiscard]] bool isTensor(const Argument& argument) const override;
    [[nodiscard]] const Node* maker(const Argument& argument) const override;
    [[nodiscard]] const Argument* value(const Argument& argument) const override;
    [[nodiscard]] const TensorMeta* tensor(const Argument& argument) const override;
    [[nodiscard]] bool liesForSure(const Argument& argument) const override;
    [[nodiscard]] bool isPrivate(const Argument& argument, NodeId call) const override;
    [[nodiscard]] std::uint64_t shapeOf(const Argument& argument) const override;
    [[nodiscard]] const OperatorSchema* schema(InternedString target) const override;

private:
    /// Whether a placeholder is a tensor of the model, or has no dimensions: then its strides are known.
    [[nodiscard]] bool isOfModel(NodeId id) const;
    void rememberCall(NodeId id, const OperatorFacts& facts);
    [[nodiscard]] TensorId tensorOfModel(InternedString target) const;
    /// The class of the leaf module that a node calls; empty where that has a graph, or is not known.
    [[nodiscard]] std::string_view leafClass(const Node& node) const;
    /// Marks a value without a description as a tensor.
    void takeForTensor(NodeId id);
    /// Whether a leaf module is one of PyTorch that takes one tensor and gives one.
    [[nodiscard]] bool givesTensor(const Node& node) const;
    /// Finds inputs that are passed for a tensor argument: the call raises for any other type.
    void findTensorInputs();
    /// Whether a getitem node takes the first result of a recurrent layer or of attention.
    [[nodiscard]] bool isFirstOfModule(const Node& item) const;
    /// Whether an operator of Python gives a tensor: of tensors and numbers, or an item of a tensor.
    [[nodiscard]] bool givesTensorByOperator(const Node& node) const;
    /// Whether a call moves dimensions that the tensor that it is given is known to have, or adds one.
    [[nodiscard]] bool isPossibleView(const Node& node, std::string_view name) const;
    /// Whether all nodes among the arguments of a call are described tensors that it takes for tensors.
    [[nodiscard]] bool takesOnlyTensors(const Node& node, const OperatorSchema& schema) const;
    /// Whether an operator gives memory of its own that holds its arguments nowhere.
    [[nodiscard]] bool givesOwnMemory(const Node& node) const;
    /// Notes that the result of an elementwise call has the shape of its operand, and describes it if the file does not.
    void followShape(NodeId id);
    /// The value that this one has the shape of, by the calls between them.
    [[nodiscard]] NodeId shapedLike(NodeId id) const;
    [[nodiscard]] bool fitsOverload(const Node& node) const;
    /// Whether an assertion of metadata agrees with the description of its tensor.
    [[nodiscard]] bool holds(const Node& assertion) const;
    /// Whether a call adds or multiplies two tensors of one shape.
    [[nodiscard]] bool isOfEqualTensors(const Node& node, std::string_view name) const;
    void put(NodeId id, std::uint64_t shape, bool liesForSure);

    Program& m_program;
    bool m_isRoot;
    bool m_believes;
    ModuleId m_owner; ///< the module whose attributes the graph reads; may be invalid
    Graph& m_graph;
    OperatorCatalogue& m_operators;
    std::uint64_t m_placeholders = 0; ///< so far
    std::vector<std::uint64_t> m_shapes; ///< by NodeId
    std::vector<bool> m_liesForSure; ///< by NodeId
    std::unordered_set<NodeId> m_userInputs;
    std::unordered_set<NodeId> m_tensorInputs;
    std::unordered_set<NodeId> m_takenForTensors; ///< with an empty description as `val`
    std::vector<NodeId> m_shapedLike; ///< by NodeId; invalid: only like itself
    std::vector<NodeId> m_describedHere; ///< elementwise results, whose `val` is not the file's
};

/// The module that a node of a graph names; invalid when there is none. O(depth).
ModuleId namedModule(const Program& program, ModuleId owner, InternedString target);

} // namespace sunder
