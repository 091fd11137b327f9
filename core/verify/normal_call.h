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

/// A call of a registered operator during normalization.
struct NormalCall {
    const OperatorSchema* schema = nullptr;
    std::vector<std::optional<Argument>> arguments; ///< by argument of the schema; empty for an unknown default
    NodeId node = {};              ///< the node of the original call
    NodeId same = {};              ///< set if the call only returns the value of this node
    InternedString target = {};    ///< "torch.ops.aten.add.Tensor"

    /// Returns the argument with this name; null if the schema has none, or if it has an unknown default.
    [[nodiscard]] Argument* find(std::string_view name);
    /// Switches to another overload, keeping arguments by name. No effect if that overload has different argument names.
    void call(InternedString other, const OperatorSchema* otherSchema);
};

/// Facts about the arguments of a call.
class KnownNodes {
public:
    /// Whether an argument is a tensor, judging by its description, its producer, or its users.
    [[nodiscard]] virtual bool isTensor(const Argument& argument) const = 0;
    /// Returns the normalized call_function node that produces an argument; null for other nodes and constants.
    [[nodiscard]] virtual const Node* maker(const Argument& argument) const = 0;
    /// Returns the description of a tensor argument; null if there is none.
    [[nodiscard]] virtual const TensorMeta* tensor(const Argument& argument) const = 0;
    /// Returns the `val` of a node argument; null if there is none.
    [[nodiscard]] virtual const Argument* value(const Argument& argument) const = 0;
    /// Whether the described strides of a tensor are independent of input strides.
    [[nodiscard]] virtual bool hasFixedStrides(const Argument& argument) const = 0;
    /// Whether only `call` reads the memory of a value: it is not an input or weight and has no views.
    [[nodiscard]] virtual bool isPrivate(const Argument& argument, NodeId call) const = 0;
    /// Returns a hash of a computation that is independent of node names.
    [[nodiscard]] virtual std::uint64_t shapeOf(const Argument& argument) const = 0;

    /// Returns the schema of an overload, such as "torch.ops.aten.add.Tensor"; null if there is none.
    [[nodiscard]] virtual const OperatorSchema* schema(InternedString target) const = 0;

protected:
    ~KnownNodes() = default;
};

/// Returns the call with a value for each argument of the schema. Returns nothing for a call that fails: an argument is missing,
/// unknown, or given twice, or is a tensor where the schema states another type.
std::optional<NormalCall> placed(InternedString target, const Arguments& args, const Keywords& kwargs,
                                 const OperatorSchema& schema, const KnownNodes& known);

/// The end of a slice that extends to the end of a dimension.
inline constexpr std::int64_t kToTheEnd = std::numeric_limits<std::int64_t>::max();

/// Whether the call passes a number for a list of sizes, like stride=1 of a convolution. Python functions accept this, operators
/// do not.
bool passesNumberForSizes(const NormalCall& call);
/// Returns the value of an integer literal; nothing for null and for other arguments.
std::optional<std::int64_t> integerOf(const Argument* argument);
/// Whether a size is a number rather than a symbol.
bool isWholeSize(const Argument& size);
bool areWholeSizes(std::span<const Argument> sizes);
Argument listOf(std::vector<Argument> items);
/// Returns the rank of a described tensor, or the common rank of the tensors in a list.
std::optional<std::int64_t> rankOf(const Argument& argument, const KnownNodes& known);
/// Returns the size of the dimension given by a nonnegative argument `dim`; null if it is unknown.
const Argument* sizeAt(NormalCall& call, const KnownNodes& known);
/// Returns the list of sizes requested of a view; null if there is none.
Argument* wantedSizes(NormalCall& call);
/// Marks the call as returning its first argument unchanged.
void becomeOperand(NormalCall& call);

} // namespace sunder
