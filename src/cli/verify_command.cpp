#include "cli/command.h"
#include "cli/files.h"
#include "cli/verification.h"
#include "parts/stored_contents.h"
#include "verify/verdict_text.h"

namespace sunder::cli {
namespace {

std::string sentence(const VerifyReport& report)
{
    switch (report.verdict) {
    case Verdict::same: return "They compute the same. " + basisText(report);
    case Verdict::different: return "They differ: " + report.why;
    case Verdict::undecided: break;
    }
    return "Undecided: " + report.why;
}

Result<Outcome> runVerify(const Invocation& invocation)
{
    const Result<Program> a = readInput(invocation, invocation.files[0], "model-a");
    if (!a)
        return forward(a);
    const Result<Program> b = readInput(invocation, invocation.files[1], "model-b");
    if (!b)
        return forward(b);
    const StoredContents contents;
    const VerifyOptions options{.contents = invocation.isSet("no-weights") ? nullptr : &contents,
                                .whyNames = "--no-weights leaves their contents out"};
    const Result<VerifyReport> report = invocation.timer.measure("verify",
                                                                 [&] { return verify(*a, *b, options, invocation.monitor); });
    if (!report)
        return forward(report);
    Outcome outcome{.status = report->verdict == Verdict::same ? 0 : 1, .lines = {sentence(*report)}};
    outcome.json = jsonOf(*report);
    for (const std::string& note : notesOf(*report))
        if (note != basisText(*report))
            outcome.say("  " + note);
    return outcome;
}

} // namespace

Command verifyCommand()
{
    return {"verify", "A B", "Says whether two models compute the same.",
            [](QCommandLineParser& parser) {
                parser.addOptions({{QStringLiteral("no-weights"),
                                    QStringLiteral("Compares graphs only: tensors with equal names are assumed to be equal.")},
                                   {QStringLiteral("model-a"), QStringLiteral("The program to take from A, in place of --model."),
                                    QStringLiteral("NAME")},
                                   {QStringLiteral("model-b"), QStringLiteral("The program to take from B, in place of --model."),
                                    QStringLiteral("NAME")}});
            },
            runVerify};
}

} // namespace sunder::cli
