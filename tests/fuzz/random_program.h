#pragma once

#include "random.h"

#include "ir/program.h"

namespace sunder::fuzz {

/// A traced graph of 5 to 30 nodes: all six ops, nested arguments and keywords, results of several items, attributes
/// with aliases and shared storage, leaf modules called by several names, views, writes in place, random numbers,
/// regions of autocast and grad mode, effects, symbolic sizes, nested graphs, repeated blocks with region keys, sizes
/// in bytes. Which of these it has is drawn too; about a third have neither writes nor state.
Program randomGraphModule(Random& random);

/// An exported program: signature, module stacks, module call graph, parameters, buffers and constants as placeholders,
/// modules inside modules that are called once or several times, buffers and inputs that are written in place or as
/// mutation outputs.
Program randomExportedProgram(Random& random);

/// Whether nothing in it depends on the order of its calls but through data: no writes, random numbers, state, effects.
bool isPure(const Program& program);

/// The same program with its root graph's nodes created in another order, and with gaps among their ids.
Program renumbered(const Program& program, Random& random);

/// A copy with one change: another operator, another operand, another constant, swapped outputs or inputs, a call left
/// out or put behind the next, a mutation dropped, a copy where there was none, or none where there was one. It may still compute the same, where the change is in what nobody uses. False when nothing could
/// be changed.
bool change(Program& program, Random& random);

} // namespace sunder::fuzz
