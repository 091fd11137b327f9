#pragma once

#include "operators/operator_facts.h"
#include "operators/operator_schema.h"
#include "operators/stated_facts.h"

#include <cstdint>
#include <vector>

namespace sunder {

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
