#pragma once

#include "operators/operator_schema.h"

#include "ir/graph.h"

#include <optional>
#include <string_view>
#include <vector>

namespace sunder {

/// One call of a registered operator, while it is brought into the form that all calls that are the same have.
struct NormalCall {
    const OperatorSchema* schema = nullptr;
    std::vector<std::optional<Argument>>
        arguments; ///< by argument of the schema; nothing: left out, by a default that is not told
    NodeId same = {};              ///< set where the result is this node's value itself, and the call does nothing else
    InternedString target = {};    ///< "torch.ops.aten.add.Tensor"

    /// The argument of this name; null where the schema has none, or the call leaves it out.
    [[nodiscard]] Argument* find(std::string_view name);
    /// Calls another overload with the arguments of the same names. Unchanged where that has no such arguments, or others.
    void call(InternedString other, const OperatorSchema* otherSchema);
};

/// What is known of the nodes that a call is given.
class KnownNodes {
public:
    /// Whether an argument is a tensor: the file says so, or what makes it or reads it would raise otherwise.
    [[nodiscard]] virtual bool isTensor(const Argument& argument) const = 0;
    /// The call that makes an argument, in normal form; null where it is no node that is called.
    [[nodiscard]] virtual const Node* maker(const Argument& argument) const = 0;
    /// The tensor that an argument is, as the file describes it; null where it is none or is not described.
    [[nodiscard]] virtual const TensorMeta* tensor(const Argument& argument) const = 0;
    /// What the file says of the value of an argument that is a node; null where it says nothing.
    [[nodiscard]] virtual const Argument* value(const Argument& argument) const = 0;
    /// Whether the strides that the file gives a tensor follow from more than those that an input had when it was written.
    [[nodiscard]] virtual bool liesForSure(const Argument& argument) const = 0;
    /// A number that equal computations have in both programs, whatever the names of their nodes.
    [[nodiscard]] virtual std::uint64_t shapeOf(const Argument& argument) const = 0;

    /// The schema of an overload, "torch.ops.aten.add.Tensor"; null where it has none.
    [[nodiscard]] virtual const OperatorSchema* schema(InternedString target) const = 0;

protected:
    ~KnownNodes() = default;
};

/// A line of the table of calls that are the same: `core/operators/data/normal_forms.txt`.
struct NormalRule {
    std::string_view name;
    std::vector<std::string_view> operators; ///< of ATen, without overloads
    std::vector<std::string_view> arguments;
    std::string_view condition;
};

/// All of them, in their order.
const std::vector<NormalRule>& normalRules();

/// Whether results of this operator lie in memory without gaps, however its arguments lie ("laid-densely" in the table).
bool laysDensely(std::string_view packet);

/// Brings a call into its normal form: what comes of it computes the same, bit for bit, in the same memory. Sound as far as
/// `known` is. O(rules of the operator · arguments).
void normalize(NormalCall& call, const KnownNodes& known);

} // namespace sunder
