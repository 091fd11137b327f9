#include "cli/command.h"
#include "cli/files.h"
#include "cli/pass_switches.h"
#include "cli/verification.h"
#include "support/format.h"

namespace sunder::cli {
namespace {

constexpr CommandOption kUnflattenOptions[] = {
    CommandOption{Takes::output, "o", "OUT.fxj", "Module tree to write."}.required(),
    flag("no-verify", "Skip verification of the result."),
};

Result<Outcome> runUnflatten(const Invocation& invocation)
{
    const auto options = givenOptions<UnflattenOptions>(invocation);
    SUNDER_TRY(const Program source, readInput(invocation, invocation.files[0]));
    SUNDER_TRY(const UnflattenResult made,
               invocation.timer.measure("pass", [&] { return unflatten(source, options, invocation.monitor); }));
    Outcome outcome{.notes = std::vector<std::string>()};
    SUNDER_TRY(const VerifyReport report, verifyResult(invocation, source, made.program, outcome));
    for (const Diagnostic& note : made.notes)
        outcome.note({note.message});
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
    return {"unflatten", "IN", "Restore the module hierarchy of an exported program.",
            joined({kUnflattenOptions, passSwitches<UnflattenOptions>()}), runUnflatten};
}

} // namespace sunder::cli
