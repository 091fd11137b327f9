#include "document/runs/unflatten_outcome.h"
#include "export/export_format.h"
#include "export/program_file.h"
#include "text/shown_text.h"

namespace sunder {

ExportFormat unflattenedFormat()
{
    return {.id = QStringLiteral("unflattened"),
            .icon = QStringLiteral("graph"),
            .title = tr("Unflattened program"),
            .what = tr("The model with its modules, each with a graph of its own, in one fx-json file. It opens here again."),
            .ending = QStringLiteral("-unflattened.fxj"),
            .filter = tr("fx-json (*.fxj *.fxj.gz)"),
            .of = UnflattenOutcome::kKind,
            .without = tr("Nothing is unflattened yet: close this, unflatten, then export."),
            .write = [](const ExportRequest& request, ProgressMonitor& monitor) {
                return oneFile(request,
                               writeProgram(request.result<UnflattenOutcomePtr>()->result.program, request.path, monitor));
            }};
}

} // namespace sunder
