#include "document/document.h"
#include "document/passes/cli_command.h"
#include "document/passes/pass.h"
#include "document/runs/make_runs.h"
#include "document/text.h"

namespace sunder {
namespace {

Result<PassWork> workOfUnflatten(const Document&, const PassOptions& options)
{
    return PassWork([options](const SnapshotPtr& source, ProgressMonitor& monitor) {
        return asResult(makeUnflattened(source, options, monitor));
    });
}

void commandOfUnflatten(const Outcome& result, const Program&, CliCommand& command)
{
    command.verb = "unflatten";
    command.ending = "-unflattened.fxj";
    command.addOptions(result);
}

} // namespace

Pass unflattenPass()
{
    return {.id = QStringLiteral("unflatten"),
            .name = tr("Unflatten"),
            .text = tr("&Unflatten"),
            .keys = {QKeySequence(Qt::CTRL | Qt::Key_U)},
            .tip = tr("Restore the module hierarchy of an exported program, and verify it"),
            .button = tr("Unflatten"),
            .options = shownOptions(optionSpecs<UnflattenOptions>()),
            .job = QStringLiteral("unflatten"),
            .jobTitle = tr("Unflatten and verify"),
            .work = workOfUnflatten,
            .command = commandOfUnflatten,
            .refused = tr("The model was not unflattened")};
}

} // namespace sunder
