#pragma once

#include "analysis/training/training_graph.h"
#include "ir/program.h"

namespace sunder {

/// The forward pass of a joint program alone, under the same ids: without backward calls and what they give. Where no node says in
/// which module it is (torch.export keeps none of that in a joint program), a call is in the module whose parameters and buffers
/// it reads, and between two such modules in what holds both. For cutting: nothing of it is written. O(nodes + arguments).
Program forwardProgram(const Program& program, const TrainingGraph& training);

} // namespace sunder
