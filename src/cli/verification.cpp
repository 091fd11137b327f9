#include "cli/verification.h"

#include "cli/files.h"
#include "passes/verify_result.h"

#include <QJsonArray>

namespace sunder::cli {

Result<VerifyReport> verifyResult(const Invocation& invocation, const Program& source, const Program& result,
                                  Outcome& outcome)
{
    VerifyReport report{.verdict = Verdict::undecided, .why = "not checked, because of --no-verify"};
    if (!invocation.isSet("no-verify")) {
        const Result<VerifyReport> verified = invocation.timer.measure(
            "verify", [&] { return sunder::verifyResult(source, result, invocation.monitor); });
        if (!verified)
            return verified;
        report = *verified;
    }
    outcome.json[QStringLiteral("verified")] = report.verdict == Verdict::undecided
                                                   ? QJsonValue(QStringLiteral("undecided"))
                                                   : QJsonValue(report.verdict == Verdict::same);
    if (report.verdict != Verdict::same) {
        outcome.json[QStringLiteral("why")] = text(report.why);
        const char* what = report.verdict == Verdict::different ? "the result does not compute what the source does: "
                                                                : "the result could not be proven equal to the source: ";
        outcome.warnings.push_back("warning: " + (what + report.why));
    }
    return report;
}

QJsonObject jsonOf(const VerifyReport& report)
{
    QJsonObject json{{QStringLiteral("verdict"), text(name(report.verdict))}};
    const auto put = [&json](const char* key, const std::string& value) {
        if (!value.empty())
            json[QLatin1String(key)] = text(value);
    };
    put("why", report.why);
    put("a", report.nameA);
    put("b", report.nameB);
    put("output", report.output);
    QJsonArray notes;
    for (const std::string& note : report.notes)
        notes.append(text(note));
    json[QStringLiteral("notes")] = notes;
    return json;
}

} // namespace sunder::cli
