#pragma once

#include "verify/normal_call.h"

#include <string_view>
#include <vector>

namespace sunder {

/// A line of the table of calls that are the same: `core/operators/data/normal_forms.txt`.
struct NormalRule {
    std::string_view name;
    std::vector<std::string_view> operators; ///< of ATen, without overloads
    std::vector<std::string_view> arguments;
    std::string_view condition;
};

/// What a rule does with a call whose operator it is of.
using ApplyRule = void (*)(NormalCall&, const NormalRule&, const KnownNodes&);

/// All of them, in their order.
const std::vector<NormalRule>& normalRules();

/// Whether results of this operator lie in memory without gaps, however its arguments lie ("laid-densely" in the table).
bool laysDensely(std::string_view packet);

/// Brings a call into its normal form: what comes of it computes the same, bit for bit, in the same memory. Sound as far as
/// `known` is. O(rules of the operator · arguments).
void normalize(NormalCall& call, const KnownNodes& known);

} // namespace sunder
