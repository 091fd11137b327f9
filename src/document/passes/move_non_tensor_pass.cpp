#include "document/document.h"
#include "document/passes/cli_command.h"
#include "document/passes/pass.h"
#include "document/runs/moves_outcome.h"
#include "document/runs/run_steps.h"
#include "document/text.h"
#include "text/amounts.h"

#include <algorithm>

namespace sunder {
namespace {

const char* const kMoveNonTensor = "moveNonTensor";
Result<RunResult> makeMoves(const SnapshotPtr& source, const TagAssignment& tags, const PassOptions& options,
                            ProgressMonitor& monitor)
{
    auto outcome = std::make_shared<MovesOutcome>();
    RunSteps steps(*outcome, kMoveNonTensor, options, monitor);
    SUNDER_TRY(MoveByTagsResult made, steps.pass("moving ops", [&] {
        return moveNonTensorByTags(source->graph(), tags, optionsIn<MoveByTagsOptions>(options), monitor);
    }));
    outcome->before = tags;
    outcome->result = std::move(made);
    return outcome;
}

PassWork movesWorkOn(const TagAssignment& tags, const PassOptions& options)
{
    return [tags, options](const SnapshotPtr& source, ProgressMonitor& monitor) {
        return makeMoves(source, tags, options, monitor);
    };
}

Result<PassWork> workOfMoves(const Document& document, const PassOptions& options)
{
    const std::vector<std::int32_t>& tags = document.tags().tagOf;
    if (std::ranges::all_of(tags, [](std::int32_t tag) { return tag == TagAssignment::kUntagged; }))
        return fail(ErrorCode::refused, "no op has a tag: tag the ops of each part first");
    return movesWorkOn(document.tags(), options);
}

/// Gives the moved ops their new tags, as one undo step.
QString takeOverMoves(Document& document, const RunResult& result)
{
    const MovesOutcomePtr outcome = as<MovesOutcomePtr>(result);
    const std::size_t moved = outcome->result.moves.moved.size();
    if (moved == 0)
        return tr("No op needs to move; the tags are unchanged.");
    if (document.tags().order != outcome->before.order || document.tags().tagOf != outcome->before.tagOf)
        return tr("The tags changed during the run and were not replaced. Run it again.");
    if (const QString why = document.tagSources().setTags(
            outcome->result.tags, tr("Move %1 with non-tensor results").arg(countText(moved, "op")), document.tagTraits());
        !why.isEmpty())
        return why;
    return tr("%1 moved to another tag. Undo restores the previous tags.").arg(countText(moved, "op"));
}

void commandOfMoves(const Outcome& result, const Program& source, CliCommand& command)
{
    command.verb = "move-non-tensor";
    command.ending = "-tags.json";
    command.addTags(source.rootGraph(), static_cast<const MovesOutcome&>(result).before);
    command.addOptions(result);
}

} // namespace

Pass moveNonTensorPass()
{
    return {.id = QLatin1String(kMoveNonTensor),
            .name = tr("Move non-tensor ops"),
            .text = tr("Mo&ve non-tensor ops…"),
            .keys = {QKeySequence(Qt::CTRL | Qt::SHIFT | Qt::Key_M)},
            .tip = tr("Move ops with non-tensor results into the part that uses them, as "
                      "move_non_tensor_nodes_on_boundary does"),
            .asking = PassAsking::form,
            .options = shownOptions(optionSpecs<MoveByTagsOptions>()),
            .job = QStringLiteral("moves"),
            .jobTitle = tr("Move ops with non-tensor results"),
            .work = workOfMoves,
            .workOn = movesWorkOn,
            .takeOver = takeOverMoves,
            .command = commandOfMoves,
            .refused = tr("No ops were moved")};
}

} // namespace sunder
