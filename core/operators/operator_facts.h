#pragma once

#include "operators/operator_schema.h"
#include "operators/stated_facts.h"

#include <cstdint>
#include <optional>
#include <vector>

namespace sunder {

/// A condition on an argument, given by its index in the schema; kNowhere if the schema has no such argument.
struct FactFlag {
    std::uint16_t argument = 0;
    FlagTest test = FlagTest::on;
};

/// One effect or property of the calls of an overload.
struct OperatorFact {
    static constexpr std::uint16_t kEvery = 0xffff;   ///< as `argument`: all arguments
    static constexpr std::uint16_t kNowhere = 0xfffe; ///< as a flag's argument: its value is unknown

    FactKind kind = FactKind::writes;
    std::uint16_t argument = kEvery;
    std::vector<FactFlag> when;
    std::uint8_t clause = 0; ///< clause of a fact about the result; see StatedFact
};

/// One way to call an operator. For a Python function without a schema, it is constructed from the stated facts.
struct OperatorOverload {
    OperatorSchema schema;
    std::vector<OperatorFact> facts;
    bool anyArguments = false; ///< the names of its arguments are unknown
};

/// The facts of a target. For a packet ("torch.ops.aten.add", "torch.add"), they include all overloads.
struct OperatorFacts {
    CallRole role = CallRole::function;
    std::vector<OperatorOverload> overloads;
    bool known = true;          ///< if false, it may do anything to its arguments, draw random numbers, and have effects
    bool writesCopies = false;  ///< writes only to copies of its arguments, even if it is unknown
    bool isPython = false;      ///< follows the calling conventions of Python functions: varargs, `axis` for `dim`
    bool overwrites = false;    ///< copy_: the first argument gets the contents of the second
    bool detaches = false;      ///< detach_: changes only the state of autograd
    bool overlaps = false;      ///< copy_: undefined result if source and target overlap
    bool newTensor = false;     ///< a tensor that it returns has memory of its own: x + y, which also accepts lists
    bool ordersKeywords = false; ///< a Python function for which the order of keywords may matter
    bool gradField = false;     ///< setState: affects only values that may require gradients
    InternedString field = {};  ///< setState, enter, leave: the setting
    std::uint16_t kinds = 0;    ///< bit i: an overload has a fact of FactKind i

    /// Whether its only possible result is one tensor.
    [[nodiscard]] bool returnsTensor() const;
    [[nodiscard]] bool mayDo(FactKind kind) const { return (kinds >> static_cast<unsigned>(kind) & 1U) != 0; }
    /// Returns the schema if there is exactly one; null otherwise.
    [[nodiscard]] const OperatorSchema* schema() const
    {
        return overloads.size() == 1 && !overloads.front().anyArguments ? &overloads.front().schema : nullptr;
    }
};

/// Returns the facts that follow from a schema alone: writes, aliasing of results, and the meaning of its tags. O(arguments ·
/// results).
std::vector<OperatorFact> factsOfSchema(const OperatorSchema& schema);

/// Adds possible aliasing for results whose schema states none. PyTorch does not prevent operators from returning an argument, so
/// each result may share memory with every argument that has some.
void addUnshownResults(const OperatorSchema& schema, std::vector<OperatorFact>& facts);

/// Replaces facts about an overload by those of a statement. `missing`: the argument to use for parameters that the schema lacks;
/// kNowhere omits such facts.
void applyStatement(const StatedFacts& stated, OperatorOverload& overload, std::uint16_t missing);

/// Translates facts about a packet's overload to a Python function with its own parameters, matching arguments by name. Promises
/// are not carried over; the function must make them itself.
std::vector<OperatorFact> carriedOver(const OperatorOverload& from, const OperatorSchema& to);

} // namespace sunder
