#include "document/passes/unflatten_pass.h"

#include "document/document.h"
#include "document/passes/cli_command.h"
#include "document/runs/make_runs.h"
#include "document/text.h"

namespace sunder {
namespace {

const QString kAsUpstream = QStringLiteral("asUpstream");
const QString kCrossing = QStringLiteral("crossing");
const QString kByBuffer = QStringLiteral("buffer");
const QString kByAttribute = QStringLiteral("attribute");

Result<PassWork> workOfUnflatten(const Document&, const PassOptions& options)
{
    return PassWork([options = unflattenOptionsOf(options)](const SnapshotPtr& source, ProgressMonitor& monitor) {
        return asResult(makeUnflattened(source, options, monitor));
    });
}

void commandOfUnflatten(const Outcome& result, const Program&, CliCommand& command)
{
    command.verb = "unflatten";
    command.ending = "-unflattened.fxj";
    const UnflattenOptions options = unflattenOptionsOf(result.options);
    if (options.asUpstream)
        command.add("as-upstream");
    if (options.crossing == CrossingValues::attribute)
        command.add("ivals", "attributes");
}

} // namespace

UnflattenOptions unflattenOptionsOf(const PassOptions& options)
{
    return {.asUpstream = options.value(kAsUpstream).toBool(),
            .crossing = options.value(kCrossing).toString() == kByAttribute ? CrossingValues::attribute : CrossingValues::buffer};
}

PassOptions asPassOptions(const UnflattenOptions& options)
{
    PassOptions plain;
    if (options.asUpstream)
        plain.insert(kAsUpstream, true);
    if (options.crossing == CrossingValues::attribute)
        plain.insert(kCrossing, kByAttribute);
    return plain;
}

Pass unflattenPass()
{
    return {.id = QStringLiteral("unflatten"),
            .name = tr("Unflatten"),
            .text = tr("&Unflatten"),
            .keys = {QKeySequence(Qt::CTRL | Qt::Key_U)},
            .tip = tr("Restore the module hierarchy of an exported program, and verify it"),
            .button = tr("Unflatten"),
            .options = {{.id = kAsUpstream,
                         .title = tr("Bug-for-bug &compatible with torch"),
                         .tip = tr("Even if the result is not equivalent to the model"),
                         .brief = tr("as torch")},
                        {.id = kCrossing,
                         .kind = PassOption::Kind::choice,
                         .title = tr("&Implicit module inputs"),
                         .choices = {{.id = kByBuffer, .title = tr("Pass through the module's &buffer")},
                                     {.id = kByAttribute,
                                      .title = tr("Pass through a new &attribute"),
                                      .brief = tr("values in attributes")}}}},
            .job = QStringLiteral("unflatten"),
            .jobTitle = tr("Unflatten and verify"),
            .work = workOfUnflatten,
            .command = commandOfUnflatten,
            .refused = tr("The model was not unflattened")};
}

} // namespace sunder
