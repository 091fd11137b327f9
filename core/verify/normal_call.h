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
    std::vector<std::optional<Argument>> arguments; ///< by argument of the schema; nothing: the default, which is not known
    NodeId node = {};              ///< the call before normalization
    NodeId same = {};              ///< set if the call only returns the value of this node
    InternedString target = {};    ///< "torch.ops.aten.add.Tensor"

    /// The argument with this name; null if the schema has none, or if it has the unknown default.
    [[nodiscard]] Argument* find(std::string_view name);
    /// Calls another overload with the same arguments by name. No effect if its arguments have other names.
    void call(InternedString other, const OperatorSchema* otherSchema);
};

/// Facts about the arguments of a call.
class KnownNodes {
public:
    /// Whether an argument is a tensor, by its description, its producer, or its consumers.
    [[nodiscard]] virtual bool isTensor(const Argument& argument) const = 0;
    /// The normalized call_function node that produces an argument; null for other nodes and constants.
    [[nodiscard]] virtual const Node* maker(const Argument& argument) const = 0;
    /// The description of a tensor argument; null if there is none.
    [[nodiscard]] virtual const TensorMeta* tensor(const Argument& argument) const = 0;
    /// The `val` of a node argument; null if there is none.
    [[nodiscard]] virtual const Argument* value(const Argument& argument) const = 0;
    /// Whether the described strides of a tensor do not depend on the strides of inputs.
    [[nodiscard]] virtual bool liesForSure(const Argument& argument) const = 0;
    /// Whether nothing but `call` reads the memory of a value: no input, weight, or view.
    [[nodiscard]] virtual bool isPrivate(const Argument& argument, NodeId call) const = 0;
    /// A hash of a computation that does not depend on node names.
    [[nodiscard]] virtual std::uint64_t shapeOf(const Argument& argument) const = 0;

    /// The schema of an overload, "torch.ops.aten.add.Tensor"; null where it has none.
    [[nodiscard]] virtual const OperatorSchema* schema(InternedString target) const = 0;

protected:
    ~KnownNodes() = default;
};

/// The call with a value for each argument of the schema. Nothing if an argument is missing, unknown, or given twice, or if it is a
/// tensor and the schema states another type: such a call fails.
std::optional<NormalCall> placed(InternedString target, const Arguments& args, const Keywords& kwargs,
                                 const OperatorSchema& schema, const KnownNodes& known);

/// The end of a slice that takes all of a dimension.
inline constexpr std::int64_t kToTheEnd = std::numeric_limits<std::int64_t>::max();

/// Whether a number stands for a list of sizes, as stride=1 of a convolution: functions of Python take it, operators refuse it.
bool givesNumberForSizes(const NormalCall& call);
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
