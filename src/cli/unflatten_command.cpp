#include "cli/command.h"
#include "cli/files.h"
#include "cli/verification.h"
#include "passes/unflatten/unflatten.h"
#include "support/format.h"

#include <QJsonArray>

namespace sunder::cli {
namespace {

constexpr CommandOption kUnflattenOptions[] = {
    CommandOption{Takes::output, "o", "OUT.fxj", "Module tree to write."}.required(),
    CommandOption{Takes::word, "ivals", "buffer|attributes",
                  "How intermediate values of buffers reach modules with a preserved signature: through the buffer (default), or "
                  "through attributes __ival__NAME."}
        .usually("buffer"),
    flag("shared-results", "Let results share memory with buffers and inputs as in program.module()."),
    flag("as-upstream", "Reproduce PyTorch, even if the result is not equivalent."),
    flag("no-verify", "Skip verification of the result."),
};

UnflattenOptions unflattenOptions(const Invocation& invocation)
{
    return {.asUpstream = invocation.isSet("as-upstream"),
            .crossing = invocation.value("ivals") == "buffer" ? CrossingValues::buffer : CrossingValues::attribute,
            .sharedResults = invocation.isSet("shared-results")};
}

Result<Outcome> runUnflatten(const Invocation& invocation)
{
    const UnflattenOptions options = unflattenOptions(invocation);
    SUNDER_TRY(const Program source, readInput(invocation, invocation.files[0]));
    SUNDER_TRY(const UnflattenResult made,
               invocation.timer.measure("pass", [&] { return unflatten(source, options, invocation.monitor); }));
    Outcome outcome;
    outcome.json[QStringLiteral("notes")] = QJsonArray();
    SUNDER_TRY(const VerifyReport report, verifyResult(invocation, source, made.program, outcome));
    for (const Diagnostic& note : made.notes)
        addNote(note.message, outcome);
    SUNDER_PROPAGATE(writeOutput(invocation, made.program, invocation.value("o")));
    std::size_t graphs = 0;
    for (const ModuleId owner : made.program.owners)
        graphs += owner ? 1 : 0;
    outcome.say("unflattened into " + formatCount(graphs, "module")
                + (report.verdict == Verdict::same ? ", proven equivalent" : ""));
    outcome.say("wrote " + invocation.value("o"));
    return outcome;
}

} // namespace

Command unflattenCommand()
{
    return {"unflatten", "IN", "Restore the module hierarchy of an exported program.", joined({kUnflattenOptions}), runUnflatten};
}

} // namespace sunder::cli
