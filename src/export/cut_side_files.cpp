// Export formats for data about a cut.
#include "export/checked_file.h"
#include "export/cut_format.h"
#include "io/side_files/cut_report_writer.h"
#include "io/side_files/name_map_file.h"
#include "io/side_files/partition_dag_file.h"
#include "text/amounts.h"

namespace sunder {
namespace {

Result<QString> writeDag(const Program& source, const SplitOutcome& outcome, const QString& path)
{
    const std::vector<PartitionDagNode> dag = outcome.plan ? outcome.plan->dag : partitionDag(outcome.split.program);
    const FigureBasis basis = outcome.plan ? basisOfPartitions(source) : basisOfShapes(source);
    SUNDER_PROPAGATE(writeJsonChecked(path, partitionDagJson(dag, basis)));
    return tr("File read back and checked: %1.").arg(countText(dag.size(), "part"));
}

Result<QString> writeCost(const Program& source, const SplitOutcome& outcome, const QString& path)
{
    const CutMetrics metrics = cutMetrics(source, outcome.tags);
    SUNDER_PROPAGATE(writeJsonChecked(path, cutReportJson(source, metrics)));
    return tr("File read back and checked: %1, %2 sent between parts.")
        .arg(countText(metrics.parts.size(), "part"), bytesText(metrics.cutBytes));
}

Result<QString> writeNames(const SplitOutcome& outcome, const QString& path)
{
    SUNDER_PROPAGATE(writeJsonChecked(path, nameMapJson(outcome.split.fqnMap)));
    if (outcome.split.fqnMap.empty())
        return tr("The map is empty: this model uses no module or parameter by name. Its weights are inputs of the "
                  "parts and keep their names.");
    return tr("File read back and checked: %1.").arg(countText(outcome.split.fqnMap.size(), "name"));
}

} // namespace

ExportFormat dagFormat()
{
    return ofCut({.id = QStringLiteral("dag"),
                  .icon = QStringLiteral("split"),
                  .title = tr("Partition DAG"),
                  .what = tr("Inputs, outputs, devices, and bytes of each part in execution order, as DAG JSON."),
                  .ending = QStringLiteral(".dag.json"),
                  .filter = tr("DAG (*.json)"),
                  .write = [](const ExportRequest& request, ProgressMonitor&) {
                      return oneFile(request,
                                     writeDag(request.source->program, *request.result<SplitOutcomePtr>(), request.path));
                  }});
}

ExportFormat costFormat()
{
    return ofCut({.id = QStringLiteral("cost"),
                  .icon = QStringLiteral("stages"),
                  .title = tr("Cut cost"),
                  .what = tr("Bytes of weights and values in each part, bytes and values sent between parts, and totals with the "
                             "gap to the lower bound, as JSON."),
                  .ending = QStringLiteral(".cost.json"),
                  .filter = tr("Cost (*.json)"),
                  .write = [](const ExportRequest& request, ProgressMonitor&) {
                      return oneFile(request,
                                     writeCost(request.source->program, *request.result<SplitOutcomePtr>(), request.path));
                  }});
}

ExportFormat namesFormat()
{
    return ofCut({.id = QStringLiteral("names"),
                  .icon = QStringLiteral("file"),
                  .title = tr("Name map"),
                  .what = tr("Modules and parameters that the model uses by name, with their names in the parts, as JSON."),
                  .ending = QStringLiteral(".names.json"),
                  .filter = tr("Names (*.json)"),
                  .write = [](const ExportRequest& request, ProgressMonitor&) {
                      return oneFile(request, writeNames(*request.result<SplitOutcomePtr>(), request.path));
                  }});
}

} // namespace sunder
