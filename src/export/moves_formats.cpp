#include "document/runs/moves_outcome.h"
#include "export/export_format.h"
#include "export/text_file.h"
#include "parts/moves_by_name.h"
#include "text/amounts.h"

namespace sunder {
namespace {

Result<ExportedFiles> writeMoves(const ExportRequest& request, ProgressMonitor&)
{
    const MovesFile moves = movesByName(request.source->graph(), request.result<MovesOutcomePtr>()->result.moves);
    if (const Result<void> written = writeJsonChecked(request.path, movesJson(moves)); !written)
        return forward(written);
    return oneFile(request,
                   tr("Read back and found to be what was written: %1, %2 on a border.")
                       .arg(countText(moves.moved.size(), "move"), countText(moves.staying.size(), "op")));
}

} // namespace

ExportFormat movesFormat()
{
    return {.id = QStringLiteral("moves"),
            .icon = QStringLiteral("swap"),
            .title = tr("Moved ops"),
            .what = tr("Which op moved from which tag to which, and of each that stays on a border the reason, as JSON. "
                       "The tags as they are now are exported as Tags."),
            .ending = QStringLiteral(".moves.json"),
            .filter = tr("Moves (*.json)"),
            .of = MovesOutcome::kKind,
            .without = tr("No ops were moved yet: close this, move them, then export."),
            .write = writeMoves};
}

} // namespace sunder
