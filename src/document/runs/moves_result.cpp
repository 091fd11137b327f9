#include "document/runs/moves_outcome.h"
#include "document/runs/result_kinds.h"
#include "document/text.h"
#include "text/amounts.h"

namespace sunder {
namespace {

const MovesOutcome& movesOf(const Outcome& made)
{
    return static_cast<const MovesOutcome&>(made);
}

QString outcomeOfMoves(const Outcome& made)
{
    const MoveNonTensorResult& moves = movesOf(made).result.moves;
    return tr("%1 moved, %2 on a boundary").arg(countText(moves.moved.size(), "op"), text(formatCount(moves.staying.size())));
}

/// Compares the resulting tags of two runs.
RunComparison compareMoves(const Snapshot& source, const Outcome& first, const Outcome& second, const std::vector<Device>&)
{
    const TagAssignment& before = movesOf(first).result.tags;
    const TagAssignment& after = movesOf(second).result.tags;
    return {CutRunComparison{compareCuts(cutGraph(source.program), before, after, PartMatching::names), {}, before, after}};
}

} // namespace

ResultDescription movesResult()
{
    return {.kind = MovesOutcome::kKind,
            .does = tr("%1 moves ops with non-tensor results"),
            .heading = tr("MOVED OPS"),
            .programTitle = {},
            .outcome = outcomeOfMoves,
            .compare = compareMoves};
}

} // namespace sunder
