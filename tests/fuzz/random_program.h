#pragma once

#include "random.h"

#include "ir/program.h"

namespace sunder::fuzz {

/// Returns a traced graph of 5 to 30 nodes. Features: all six ops, nested arguments and keywords, results of several items,
/// attributes with aliases and shared storage, leaf modules called by several names, views, writes in place, random numbers,
/// autocast and grad mode regions, effects, symbolic sizes, nested graphs, repeated blocks with region keys, and sizes in bytes.
/// The set of features is random; about a third of the graphs have neither writes nor state.
Program randomGraphModule(Random& random);

/// Returns an exported program with a signature, module stacks, a module call graph, and parameters, buffers, and constants as
/// placeholders. Nested modules are called once or several times. Buffers and inputs are written in place or as mutation outputs.
Program randomExportedProgram(Random& random);

/// Whether only data dependencies constrain the order of its calls: no writes, random numbers, state, or effects.
bool isPure(const Program& program);

/// Returns the same program with its root graph's nodes created in another order, and with gaps among their ids.
Program renumbered(const Program& program, Random& random);

/// Makes one change: another operator, operand, or constant; swapped outputs or inputs; a call removed or moved after the next
/// one; a mutation dropped; a copy added or removed. The result may be equivalent if the change affects only unused values.
/// Returns false if nothing could be changed.
bool change(Program& program, Random& random);

} // namespace sunder::fuzz
