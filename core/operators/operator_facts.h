#pragma once

#include "operators/operator_schema.h"
#include "operators/stated_facts.h"

#include <cstdint>
#include <optional>
#include <vector>

namespace sunder {

/// An argument that decides, by its place in the schema; kNowhere when there is none of that name.
struct FactFlag {
    std::uint16_t argument = 0;
    FlagTest test = FlagTest::on;
};

/// One thing that calls of an overload do.
struct OperatorFact {
    static constexpr std::uint16_t kEvery = 0xffff;   ///< as `argument`: all of them
    static constexpr std::uint16_t kNowhere = 0xfffe; ///< as a flag's argument: nothing is known of it

    FactKind kind = FactKind::writes;
    std::uint16_t argument = kEvery;
    std::vector<FactFlag> when;
    std::uint8_t clause = 0; ///< of what is said of the result; see StatedFact
};

/// One way to call an operator. Python functions that no schema describes have one made of what is known of them.
struct OperatorOverload {
    OperatorSchema schema;
    std::vector<OperatorFact> facts;
    bool anyArguments = false; ///< the names of its arguments are not known
};

/// What is known of a target. Of a packet ("torch.ops.aten.add", "torch.add") all overloads.
struct OperatorFacts {
    CallRole role = CallRole::function;
    std::vector<OperatorOverload> overloads;
    bool known = true;          ///< false: it may do anything to what reaches it, draw random numbers, have effects
    bool writesCopies = false;  ///< writes only to copies of its arguments, even if it is unknown
    bool isPython = false;      ///< called as Python functions and methods are: varargs, `axis` for `dim`
    bool overwrites = false;    ///< copy_: the first argument then holds what the second held
    bool detaches = false;      ///< detach_: changes nothing but what autograd records
    bool overlaps = false;      ///< copy_: where what it reads and what it writes overlap, it is not told what it does
    bool newTensor = false;     ///< where it gives a tensor, that has memory of its own: x + y, of lists too
    bool ordersKeywords = false; ///< a Python function, to which the order of keywords may matter
    bool gradField = false;     ///< setState: matters only to what may require gradients
    InternedString field = {};  ///< setState, enter, leave: what is set
    std::uint16_t kinds = 0;    ///< bit i: an overload has a fact of FactKind i

    /// Whether all that it can return is one tensor.
    [[nodiscard]] bool givesTensor() const;
    [[nodiscard]] bool mayDo(FactKind kind) const { return (kinds >> static_cast<unsigned>(kind) & 1U) != 0; }
    /// The schema, when there is just one.
    [[nodiscard]] const OperatorSchema* schema() const
    {
        return overloads.size() == 1 && !overloads.front().anyArguments ? &overloads.front().schema : nullptr;
    }
};

} // namespace sunder
