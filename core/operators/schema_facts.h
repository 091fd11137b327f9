#pragma once

#include "operators/operator_facts.h"
#include "operators/operator_schema.h"
#include "operators/stated_facts.h"

#include <cstdint>
#include <vector>

namespace sunder {

/// What a schema alone says: what is written, what results lie in, what its tags mean. O(arguments · results).
std::vector<OperatorFact> factsOfSchema(const OperatorSchema& schema);

/// What results may lie in of which a schema says nothing: PyTorch keeps no operator from returning an argument, so each may
/// share memory with every argument that has some.
void addUnshownResults(const OperatorSchema& schema, std::vector<OperatorFact>& facts);

/// Puts what a statement says, of the arguments of one schema, in place of what was known of that. `missing`: what an argument
/// that the schema lacks stands for; kNowhere leaves the fact out.
void applyStatement(const StatedFacts& stated, OperatorOverload& overload, std::uint16_t missing);

/// Facts about a packet's overload said of a Python function with parameters of its own, by the names of arguments. What
/// the operator promises the function has to promise itself.
std::vector<OperatorFact> carriedOver(const OperatorOverload& from, const OperatorSchema& to);

} // namespace sunder
