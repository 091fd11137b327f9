#include "cli/command.h"
#include "cli/files.h"
#include "cli/verification.h"
#include "passes/unflatten/unflatten.h"
#include "support/format.h"

#include <QJsonArray>

namespace sunder::cli {
namespace {

void declareUnflatten(QCommandLineParser& parser)
{
    parser.addOptions(
        {{QStringLiteral("o"), QStringLiteral("Module tree to write."), QStringLiteral("OUT.fxj")},
         {QStringLiteral("ivals"),
          QStringLiteral(
              "How intermediate values of buffers reach modules with a preserved signature: through the buffer (default), or "
              "through attributes __ival__NAME."),
          QStringLiteral("buffer|attributes"), QStringLiteral("buffer")},
         {QStringLiteral("shared-results"),
          QStringLiteral("Let results share memory with buffers and inputs as in program.module().")},
         {QStringLiteral("as-upstream"), QStringLiteral("Reproduce PyTorch, even if the result is not equivalent.")},
         {QStringLiteral("no-verify"), QStringLiteral("Skip verification of the result.")}});
}

Result<UnflattenOptions> unflattenOptions(const Invocation& invocation)
{
    const std::string ivals = invocation.value("ivals");
    if (ivals != "buffer" && ivals != "attributes")
        return fail(ErrorCode::usage, "--ivals takes buffer or attributes, not " + ivals);
    return UnflattenOptions{.asUpstream = invocation.isSet("as-upstream"),
                            .crossing = ivals == "buffer" ? CrossingValues::buffer : CrossingValues::attribute,
                            .sharedResults = invocation.isSet("shared-results")};
}

Result<Outcome> runUnflatten(const Invocation& invocation)
{
    if (!invocation.isSet("o"))
        return fail(ErrorCode::usage, "nothing to write: give -o OUT.fxj");
    SUNDER_TRY(const UnflattenOptions options, unflattenOptions(invocation));
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
    return {"unflatten", "IN", "Restore the module hierarchy of an exported program.", declareUnflatten, runUnflatten, "", "o"};
}

} // namespace sunder::cli
