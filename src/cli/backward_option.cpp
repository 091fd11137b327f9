#include "cli/backward_option.h"

namespace sunder::cli {

BackwardTags backwardOf(const Invocation& invocation)
{
    return invocation.value("backward") == "follow" ? BackwardTags::follow : BackwardTags::apart;
}

TrainingGraph followedBackward(const Invocation& invocation, const Program& program, BackwardTags backward, Outcome& outcome)
{
    TrainingGraph training = trainingGraph(program);
    if (!training.isTraining() && invocation.isSet("backward"))
        outcome.warnings.push_back("--backward has no effect: the model has no backward pass");
    return backward == BackwardTags::follow ? std::move(training) : TrainingGraph{};
}

} // namespace sunder::cli
