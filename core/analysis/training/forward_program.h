#pragma once

#include "analysis/training/training_graph.h"
#include "ir/program.h"

namespace sunder {

/// Returns the forward pass of a joint program with unchanged ids, without backward calls and their results. If nodes have no
/// module stack (torch.export omits it in joint programs), a call is in the module whose parameters and buffers it reads, and
/// calls between two such modules are in their common parent. Only used for cutting, never written. O(nodes + arguments).
Program forwardProgram(const Program& program, const TrainingGraph& training);

} // namespace sunder
