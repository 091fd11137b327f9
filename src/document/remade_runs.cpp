#include "document/remade_runs.h"

#include "document/document.h"
#include "document/runs/make_runs.h"
#include "document/text.h"
#include "io/side_files/project_tags.h"

#include <QJsonDocument>
#include <QJsonObject>

namespace sunder {

Result<PassWork> workOfKeptRun(const Document& document, const ProjectRun& run)
{
    if (run.partition) {
        const PartitionRequest request{
            .is2020 = run.partition->is2020, .asUpstream = run.partition->asUpstream, .config = run.partition->config};
        return PassWork([request](const SnapshotPtr& source, ProgressMonitor& monitor) {
            return asResult(makePartition(source, request, monitor));
        });
    }
    const Pass* pass = findPass(text(run.pass));
    if (pass == nullptr || pass->work == nullptr)
        return fail(ErrorCode::unsupported, "unknown pass \"" + run.pass + "\"");
    const PassOptions options = QJsonDocument::fromJson(QByteArray::fromStdString(run.options)).object().toVariantMap();
    if (pass->workOn == nullptr)
        return pass->work(document, options);
    // Use the tags of the run, not the current tags.
    const TagAssignment tags = run.tags ? assignmentOf(document.graph(), *run.tags) : document.tags();
    return pass->workOn(tags, options);
}

} // namespace sunder
