#include "document/runs/moves_outcome.h"
#include "export/checked_file.h"
#include "export/export_format.h"
#include "parts/part_checks.h"
#include "text/amounts.h"

namespace sunder {
namespace {

Result<ExportedFiles> writeMoves(const ExportRequest& request, ProgressMonitor&)
{
    const MovesFile moves = movesByName(request.source->graph(), request.result<MovesOutcomePtr>()->result.moves);
    SUNDER_PROPAGATE(writeJsonChecked(request.path, movesJson(moves)));
    return oneFile(request,
                   tr("File read back and checked: %1, %2 on a boundary.")
                       .arg(countText(moves.moved.size(), "move"), countText(moves.staying.size(), "op")));
}

} // namespace

ExportFormat movesFormat()
{
    return {.id = QStringLiteral("moves"),
            .icon = QStringLiteral("swap"),
            .title = tr("Moved ops"),
            .what = tr("Moved ops with their old and new tags, and ops that stay at a boundary with the reason, as JSON. "
                       "To export the current tags, choose Tags."),
            .ending = QStringLiteral(".moves.json"),
            .filter = tr("Moves (*.json)"),
            .of = MovesOutcome::kKind,
            .without = tr("No ops were moved yet. Close this dialog and move non-tensor ops first."),
            .write = writeMoves};
}

} // namespace sunder
