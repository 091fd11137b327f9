#pragma once

#include "random.h"

#include "ir/program.h"

namespace sunder::fuzz {

/// Single changes of writes, aliases, or inputs that a broken pass could make. They return false if there is no place for the
/// change.

/// Removes one mutation from the outputs of an exported program.
bool dropMutation(Program& program, Random& random);
/// Swaps the uses of two user inputs.
bool swapInputs(Program& program, Random& random);
/// Swaps a call with the next one, which does not use it.
bool postpone(Graph& graph, NodeId id);
/// Makes a call use a copy of its first operand, so that its writes to it are lost.
bool copyOperand(Graph& graph, NodeId id);
/// Makes the users of a copy use the original.
bool shareInsteadOfCopy(Graph& graph, Random& random);

} // namespace sunder::fuzz
