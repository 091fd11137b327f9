#include "document/runs/regions_outcome.h"
#include "export/checked_file.h"
#include "export/export_format.h"
#include "parts/part_checks.h"
#include "text/amounts.h"

namespace sunder {
namespace {

Result<QString> writeRegions(const Snapshot& source, const RegionsOutcome& outcome, const QString& path)
{
    const RegionsFile regions = regionsByName(source.graph(), outcome.regions);
    SUNDER_PROPAGATE(writeJsonChecked(path, regionsJson(regions)));
    return tr("File read back and checked: %1, %2 left out.")
        .arg(countText(regions.groups.size(), "group"), countText(regions.rejected.size(), "region"));
}

bool isDeduplicated(const Outcome& result)
{
    return static_cast<const RegionsOutcome&>(result).dedup.has_value();
}

} // namespace

ExportFormat regionsFormat()
{
    return {.id = QStringLiteral("regions"),
            .icon = QStringLiteral("parts"),
            .title = tr("Repeated regions"),
            .what = tr("Repeated regions with the names of their ops, and regions that were left out with the "
                       "reason, as JSON."),
            .ending = QStringLiteral(".regions.json"),
            .filter = tr("Regions (*.json)"),
            .of = RegionsOutcome::kKind,
            .without = tr("No regions were found yet. Close this dialog and find regions or deduplicate first."),
            .write = [](const ExportRequest& request, ProgressMonitor&) {
                return oneFile(request, writeRegions(*request.source, *request.result<RegionsOutcomePtr>(), request.path));
            }};
}

ExportFormat deduplicatedFormat()
{
    return {.id = QStringLiteral("deduplicated"),
            .icon = QStringLiteral("graph"),
            .title = tr("Deduplicated program"),
            .what = tr("The model with one shared graph per repeated region, called from each occurrence, in one fx-json file."),
            .ending = QStringLiteral("-deduplicated.fxj"),
            .filter = tr("fx-json (*.fxj *.fxj.gz)"),
            .of = RegionsOutcome::kKind,
            .without = tr("The model is not deduplicated yet. Close this dialog and deduplicate first."),
            .isIn = isDeduplicated,
            .write = [](const ExportRequest& request, ProgressMonitor& monitor) {
                return oneFile(request, writeProgram(request.result<RegionsOutcomePtr>()->dedup->program, request.path, monitor));
            }};
}

} // namespace sunder
