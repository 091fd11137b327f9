#include "cli/command.h"
#include "cli/files.h"
#include "cli/torch_run.h"
#include "cli/verification.h"
#include "parts/stored_contents.h"
#include "verify/verdict_text.h"

#include <QJsonArray>

namespace sunder::cli {
namespace {

/// Formats the verdict in the JSON as a sentence. `basis` describes the assumptions of a proof.
std::string sentence(const QJsonObject& said, const std::string& basis)
{
    const QString verdict = said[QStringLiteral("verdict")].toString();
    const std::string why = said[QStringLiteral("why")].toString().toStdString();
    if (verdict == text(name(Verdict::same)))
        return "Equivalent. " + basis;
    if (verdict == text(name(Verdict::sameUpToRounding)))
        return "Equivalent up to rounding: " + why + ". " + basis;
    return (verdict == text(name(Verdict::different)) ? "Not equivalent: " : "Undecided: ") + why;
}

Result<Outcome> runVerify(const Invocation& invocation)
{
    SUNDER_TRY(const Program a, readInput(invocation, invocation.files[0], "model-a"));
    SUNDER_TRY(const Program b, readInput(invocation, invocation.files[1], "model-b"));
    const StoredContents contents;
    const VerifyOptions options{.contents = invocation.isSet("no-weights") ? nullptr : &contents,
                                .whyNames = "their contents were not compared (--no-weights)"};
    SUNDER_TRY(const VerifyReport report,
               invocation.timer.measure("verify", [&] { return verify(a, b, options, invocation.monitor); }));
    QJsonObject said = jsonOf(report);
    if (invocation.isSet("torch")) {
        SUNDER_TRY(QJsonObject run, runInTorch(invocation, std::move(said)));
        said = std::move(run);
    }
    const std::string basis = basisText(report);
    const QString verdict = said[QStringLiteral("verdict")].toString();
    const bool isEnough = verdict == text(name(Verdict::same))
        || (verdict == text(name(Verdict::sameUpToRounding)) && invocation.isSet("allow-rounding"));
    Outcome outcome{.status = isEnough ? 0 : 1, .lines = {sentence(said, basis)}};
    for (const auto& note : said[QStringLiteral("notes")].toArray())
        if (const std::string line = note.toString().toStdString(); line != basis)
            outcome.say("  " + line);
    if (const QJsonValue witness = said[QStringLiteral("run")].toObject()[QStringLiteral("witness")]; witness.isString())
        outcome.say("  witness: " + witness.toString().toStdString());
    outcome.json = said;
    return outcome;
}

constexpr CommandOption kVerifyOptions[] = {
    flag("no-weights", "Compare graphs only. Weights with equal names are assumed to be equal."),
    flag("allow-rounding", "Exit with status 0 also if the models are equivalent up to rounding."),
    {Takes::text, "model-a", "NAME", "Program of A, instead of --model."},
    {Takes::text, "model-b", "NAME", "Program of B, instead of --model."},
};

} // namespace

Command verifyCommand()
{
    return {"verify", "A B", "Decide whether two models are equivalent.", joined({kVerifyOptions, torchRunOptions()}), runVerify};
}

} // namespace sunder::cli
