#pragma once

#include "ir/program.h"
#include "operators/operator_catalogue.h"
#include "verify/normal_call.h"

#include <unordered_set>

namespace sunder {

/// What is known of the nodes of one graph while they are brought into normal form, in graph order: what the file says of them, which
/// are tensors although it does not say so, which lie in memory as it says whatever inputs do, and which calls surely succeed.
class KnownGraph final : public KnownNodes {
public:
    /// `believes`: what the file says of tensors holds as long as these.
    KnownGraph(Program& program, GraphId id, bool believes, OperatorCatalogue& operators);

    /// Takes note of a node that is in normal form; those that it reads come first. O(arguments).
    void remember(NodeId id);
    /// Whether it is given a described tensor, so that what Python's operators and methods do is what tensors do.
    [[nodiscard]] bool takesTensor(NodeId id) const;
    /// Whether a call surely succeeds and does nothing but give a result. O(arguments).
    [[nodiscard]] bool succeeds(NodeId id) const;
    /// How many results a call gives as a tuple.
    [[nodiscard]] std::optional<std::int64_t> resultsOf(const Argument& argument) const;
    /// Whether a node takes an item of a tuple that has it.
    [[nodiscard]] bool isKnownItem(const Node& node) const;
    /// Takes back the descriptions that were made up for tensors of which the file says nothing. Call at the end.
    void forget();

    [[nodiscard]] bool isTensor(const Argument& argument) const override;
    [[nodiscard]] const Node* maker(const Argument& argument) const override;
    [[nodiscard]] const Argument* value(const Argument& argument) const override;
    [[nodiscard]] const TensorMeta* tensor(const Argument& argument) const override;
    [[nodiscard]] bool liesForSure(const Argument& argument) const override;
    [[nodiscard]] std::uint64_t shapeOf(const Argument& argument) const override;
    [[nodiscard]] const OperatorSchema* schema(InternedString target) const override;

private:
    /// Whether a placeholder is a tensor of the model, or a tensor without dimensions, which lies in one way.
    [[nodiscard]] bool isOfModel(NodeId id) const;
    void rememberCall(NodeId id, const OperatorFacts& facts);
    [[nodiscard]] TensorId tensorOfModel(InternedString target) const;
    /// The class of the leaf module that a node calls; empty where that has a graph, or is not known.
    [[nodiscard]] std::string_view leafClass(const Node& node) const;
    /// A value of which the file does not say that it is a tensor, but that can be nothing else.
    void takeForTensor(NodeId id);
    /// Whether a leaf module is one of PyTorch that takes one tensor and gives one.
    [[nodiscard]] bool givesTensor(const Node& node) const;
    /// Inputs that a call takes for a tensor, so that it raises with anything else.
    void findTensorInputs();
    /// Whether an item is the first of what a recurrent layer or attention gives.
    [[nodiscard]] bool isFirstOfModule(const Node& item) const;
    /// Whether an operator of Python gives a tensor: of tensors and numbers, or an item of a tensor.
    [[nodiscard]] bool givesTensorByOperator(const Node& node) const;
    /// Whether a call moves dimensions that the tensor that it is given is known to have, or adds one.
    [[nodiscard]] bool isPossibleView(const Node& node, std::string_view name) const;
    /// Whether all nodes among the arguments of a call are described tensors that it takes for tensors.
    [[nodiscard]] bool takesOnlyTensors(const Node& node, const OperatorSchema& schema) const;
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
    std::unordered_set<NodeId> m_takenForTensors; ///< whose `val` says no more than that
};

/// The module that a node of a graph names; invalid when there is none. O(depth).
ModuleId namedModule(const Program& program, ModuleId owner, InternedString target);

} // namespace sunder
