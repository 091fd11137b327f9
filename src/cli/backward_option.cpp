#include "cli/backward_option.h"

namespace sunder::cli {

void declareBackward(QCommandLineParser& parser)
{
    parser.addOption({QStringLiteral("backward"),
                      QStringLiteral("In a joint forward and backward program: tag the backward pass like the forward pass "
                                     "(follow, default) or like all other ops (apart)."),
                      QStringLiteral("follow|apart"), QStringLiteral("follow")});
}

Result<BackwardTags> backwardOf(const Invocation& invocation)
{
    const std::string word = invocation.value("backward");
    if (word == "follow")
        return BackwardTags::follow;
    if (word == "apart")
        return BackwardTags::apart;
    return fail(ErrorCode::usage, "--backward takes follow or apart, not " + word);
}

TrainingGraph followedBackward(const Invocation& invocation, const Program& program, BackwardTags backward, Outcome& outcome)
{
    TrainingGraph training = trainingGraph(program);
    if (!training.isTraining() && invocation.isSet("backward"))
        outcome.warnings.push_back("--backward has no effect: the model has no backward pass");
    return backward == BackwardTags::follow ? std::move(training) : TrainingGraph{};
}

} // namespace sunder::cli
