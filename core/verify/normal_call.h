#pragma once

#include "operators/operator_schema.h"

#include "ir/graph.h"

#include <cstdint>
#include <limits>
#include <optional>
#include <span>
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

/// The end of a slice that takes all of a dimension.
inline constexpr std::int64_t kToTheEnd = std::numeric_limits<std::int64_t>::max();

/// The integer that an argument is written as; nothing for null and all else.
std::optional<std::int64_t> integerOf(const Argument* argument);
/// A size that is a number, not a symbol.
bool isWholeSize(const Argument& size);
bool areWholeSizes(std::span<const Argument> sizes);
Argument listOf(std::vector<Argument> items);
/// The rank of a described tensor, or the one rank of all tensors of a list.
std::optional<std::int64_t> rankOf(const Argument& argument, const KnownNodes& known);
/// The size of the dimension that the argument `dim` says, counted from the start; null where that is not known.
const Argument* sizeAt(NormalCall& call, const KnownNodes& known);
/// The list of sizes that a view is to have; null where there is none.
Argument* wantedSizes(NormalCall& call);
/// Says that the result of a call is its first argument itself.
void becomeOperand(NormalCall& call);

} // namespace sunder
