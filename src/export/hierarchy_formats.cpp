#include "document/runs/unflatten_outcome.h"
#include "export/checked_file.h"
#include "export/export_format.h"
#include "text/shown_text.h"

namespace sunder {

ExportFormat unflattenedFormat()
{
    return {.id = QStringLiteral("unflattened"),
            .icon = QStringLiteral("graph"),
            .title = tr("Unflattened program"),
            .what = tr("The model with its module hierarchy, one graph per module, in one fx-json file, which Sunder can open."),
            .ending = QStringLiteral("-unflattened.fxj"),
            .filter = tr("fx-json (*.fxj *.fxj.gz)"),
            .of = UnflattenOutcome::kKind,
            .without = tr("The model is not unflattened yet. Close this dialog and unflatten first."),
            .write = [](const ExportRequest& request, ProgressMonitor& monitor) {
                return oneFile(request,
                               writeProgram(request.result<UnflattenOutcomePtr>()->result.program, request.path, monitor));
            }};
}

} // namespace sunder
