#pragma once

#include "ir/program.h"

#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace sunder {

/// The kind of a value in a SUPPORT.json: the dtype of a tensor, or the type of any other value.
struct SupportKind {
    bool isTensor = true;
    InternedString text; ///< "float32", or "int"
    friend bool operator==(const SupportKind&, const SupportKind&) = default;
};

/// The argument kinds that a supported operator accepts. An empty list accepts no node.
struct SupportedArguments {
    std::vector<std::optional<std::vector<SupportKind>>> args; ///< absent: any kind
    std::vector<std::pair<InternedString, std::vector<SupportKind>>> kwargs;
};

/// The content of a SUPPORT.json: the operators that an accelerator supports (`docs/command-line.md`). "*" in `supported` means every
/// operator.
struct SupportRules {
    std::vector<InternedString> supported;
    std::vector<std::pair<InternedString, SupportedArguments>> dtypes; ///< by operator
    std::vector<InternedString> supportedNodes;
    std::vector<InternedString> unsupportedNodes;
    std::vector<SupportKind> declinedInputs;
};

enum class SupportMethod : std::uint8_t {
    capability, ///< torch.fx.passes.infra.partitioner.CapabilityBasedPartitioner
    splitter, ///< torch.fx.passes.splitter_base
};

/// Returns "capability" or "splitter".
std::string_view name(SupportMethod method);

/// Options of both methods, named as in OPTIONS.json (`docs/command-line.md`).
struct SupportOptions {
    SupportMethod method = SupportMethod::capability;
    bool asUpstream = false; ///< refuses inputs on which PyTorch fails, instead of computing the correct result
    // capability
    bool skipHorizontalFusion = false;
    bool allowsSingleNodePartition = false;
    std::vector<InternedString> nonComputeOps = {};
    std::vector<InternedString> allowedSingleNodePartitionOps = {};
    bool removeBookendNonComputeOps = false;
    // splitter
    std::int64_t minAccModuleSize = 1;
    bool skipFusion = false;
    bool allowNonTensor = false;
    std::int64_t maxAccSplits = -1;
    bool moveNonTensorNodesOnBoundary = false;
};

/// The ops of the root graph that the rules support. More operators can be added.
class SupportedOps final {
public:
    /// O(nodes × rules of their operators).
    SupportedOps(const Program& program, const SupportRules& rules);

    [[nodiscard]] bool contains(NodeId id) const
    {
        const OpSupport& op = m_ops[id.index()];
        return op.answer == Answer::yes || (op.answer == Answer::byOperator && (m_isAny || m_isSupported[op.number] != 0));
    }
    /// Returns the operator of an op: the target of a function, the name of a method, the class of a module. Empty for other nodes, and
    /// if the class is unknown.
    [[nodiscard]] InternedString operatorOf(NodeId id) const { return m_operators[m_ops[id.index()].number]; }
    /// Supports one more operator of the model.
    void add(InternedString name);
    /// Returns the operators that make at least one more op supported, in code point order. O(nodes).
    [[nodiscard]] std::vector<InternedString> candidates() const;
    /// Returns the first op whose support PyTorch cannot determine: it looks up the operator of a module, and finds no module by
    /// a second path. Invalid if there is none.
    [[nodiscard]] NodeId firstUnknownToTorch() const { return m_firstUnknownToTorch; }

private:
    enum class Answer : std::uint8_t { no, yes, byOperator };
    struct OpSupport {
        Answer answer = Answer::no;
        std::uint32_t number = 0; ///< of its operator
    };

    std::vector<OpSupport> m_ops; ///< per NodeId
    std::vector<InternedString> m_operators; ///< the first one is empty
    std::vector<char> m_isSupported; ///< per operator
    bool m_isAny = false;
    NodeId m_firstUnknownToTorch;
};

/// An operator of a model, with the ops that call it.
struct ModelOperator {
    InternedString name; ///< empty: modules of unknown class
    std::size_t ops = 0;
    std::size_t supported = 0; ///< ops that are supported
    std::uint64_t bytes = 0; ///< of the values of all its ops
    std::vector<InternedString> dtypes; ///< of these values, in code point order
};

/// Returns the operators of the root graph in code point order. O(nodes + operators log operators).
std::vector<ModelOperator> modelOperators(const Program& program, const SupportedOps& supported);

/// Counts one more op.
void add(ModelOperator& to, const Node& op, bool isSupported);

/// Returns why the rules do not support an op: "unsupported_nodes lists it". O(rules + arguments).
std::string whyUnsupported(const Program& program, const SupportRules& rules, NodeId id);

/// Returns the bytes of the tensors in the value of a node. A tensor of unknown size counts 0.
std::uint64_t knownBytes(const Node& node);

} // namespace sunder
