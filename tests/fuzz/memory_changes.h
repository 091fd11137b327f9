#pragma once

#include "random.h"

#include "ir/program.h"

namespace sunder::fuzz {

/// One change in what a program writes, shares or takes, as a broken pass could make it. False when there is no place.

/// Takes one mutation out of the outputs of an exported program.
bool dropMutation(Program& program, Random& random);
/// Every use of one user input becomes a use of another, and the other way round.
bool swapInputs(Program& program, Random& random);
/// A call changes places with the one behind it, which does not use it.
bool postpone(Graph& graph, NodeId id);
/// A call gets a copy of its first operand: what it writes there is lost.
bool copyOperand(Graph& graph, NodeId id);
/// What used a copy uses what was copied.
bool shareInsteadOfCopy(Graph& graph, Random& random);

} // namespace sunder::fuzz
