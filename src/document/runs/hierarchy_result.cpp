#include "document/runs/result_kinds.h"
#include "document/runs/unflatten_outcome.h"
#include "document/text.h"
#include "text/amounts.h"

namespace sunder {
namespace {

const UnflattenOutcome& treeOf(const Outcome& made)
{
    return static_cast<const UnflattenOutcome&>(made);
}

} // namespace

ResultDescription hierarchyResult()
{
    return {.kind = UnflattenOutcome::kKind,
            .does = tr("%1 restores its modules"),
            .heading = tr("HIERARCHY"),
            .programTitle = tr("The unflattened program"),
            .outcome = [](const Outcome& made) { return countText(treeOf(made).result.program.modules.size(), "module"); },
            .program = [](const Outcome& made) { return &treeOf(made).result.program; },
            .map = [](const Outcome& made) { return &treeOf(made).result.map; },
            .copyWith = [](const Outcome& made, const std::function<void(Program&)>& change) -> std::shared_ptr<Outcome> {
                auto copy = std::make_shared<UnflattenOutcome>(treeOf(made));
                change(copy->result.program);
                return copy;
            },
            .compare =
                [](const Snapshot& source, const Outcome& before, const Outcome& after, const std::vector<Device>&) {
                    return RunComparison{compareModules(source.program,
                                                        {treeOf(before).result.program, treeOf(before).result.map},
                                                        {treeOf(after).result.program, treeOf(after).result.map})};
                }};
}

} // namespace sunder
