#include "document/tagging_command.h"

#include <algorithm>

namespace sunder {

CliCommand taggingCommand(const Graph& graph, const TaggingRequest& wish, const TagAssignment& before)
{
    CliCommand command{.verb = "tag", .ending = ".tags.json"};
    using Way = TaggingRequest::Way;
    switch (wish.way) {
    case Way::equalStages:
        command.add("stages", std::to_string(wish.stages));
        if (wish.measure == StageMeasure::nodes)
            command.add("by", "nodes");
        if (wish.borders == TaggingRequest::Borders::modules)
            command.add("at-modules");
        if (wish.borders == TaggingRequest::Borders::modules && wish.depth > 0)
            command.add("depth", std::to_string(wish.depth));
        break;
    case Way::byDepth: command.add("depth", std::to_string(std::max(wish.depth, 1U))); break;
    case Way::byPattern: command.add("pattern", wish.pattern); break;
    case Way::fillEarliest:
    case Way::fillLatest:
        command.verb = "tags fill";
        command.words.emplace_back(wish.way == Way::fillLatest ? "latest" : "earliest");
        break;
    case Way::straighten: command.verb = "tags straighten"; break;
    }
    if (wish.backward == BackwardTags::apart)
        command.add("backward", "apart");
    command.addTags(graph, before);
    return command;
}

} // namespace sunder
