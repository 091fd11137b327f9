#include "cli/commands.h"
#include "cli/files.h"
#include "cli/verification.h"

namespace sunder::cli {
namespace {

std::string sentence(const VerifyReport& report)
{
    switch (report.verdict) {
    case Verdict::same: return "They compute the same.\n";
    case Verdict::different: return "They differ: " + report.why + "\n";
    case Verdict::undecided: break;
    }
    return "Undecided: " + report.why + "\n";
}

Result<Outcome> run(const Invocation& invocation)
{
    const Result<Program> a = readInput(invocation, invocation.files[0]);
    if (!a)
        return forward(a);
    const Result<Program> b = readInput(invocation, invocation.files[1]);
    if (!b)
        return forward(b);
    const Result<VerifyReport> report =
        invocation.timer.measure("verify", [&] { return verify(*a, *b, {}, invocation.monitor); });
    if (!report)
        return forward(report);
    Outcome outcome{.status = report->verdict == Verdict::same ? 0 : 1, .text = sentence(*report)};
    outcome.json = jsonOf(*report);
    for (const std::string& note : report->notes)
        outcome.text += "  " + note + "\n";
    return outcome;
}

} // namespace

Command verifyCommand()
{
    return {"verify", "A B", "Says whether two models compute the same.", [](QCommandLineParser&) {}, run};
}

} // namespace sunder::cli
