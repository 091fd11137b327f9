#include "cli/verification.h"

#include "cli/files.h"
#include "passes/verify_result.h"
#include "verify/verdict_text.h"

#include <QJsonArray>

namespace sunder::cli {

namespace {

/// Describes the assumptions of a verdict about parameters, buffers, and constants.
QJsonObject comparedJson(const VerifyReport& report)
{
    constexpr std::size_t kNames = 16;
    QJsonObject json{{QStringLiteral("basis"), text(name(report.basis))}};
    if (report.basis == VerdictBasis::none || report.basis == VerdictBasis::ownMemory)
        return json;
    json[QStringLiteral("tensors")] = static_cast<qint64>(report.contents.tensors);
    json[QStringLiteral("bytes")] = static_cast<qint64>(report.contents.bytes);
    QJsonArray all;
    for (const TakenNames& taken : report.contents.taken) {
        QJsonArray names;
        for (std::size_t i = 0; i < taken.names.size() && i < kNames; ++i)
            names.append(text(taken.names[i]));
        all.append(QJsonObject{{QStringLiteral("why"), text(taken.why)},
                               {QStringLiteral("count"), static_cast<qint64>(taken.names.size())},
                               {QStringLiteral("names"), names}});
    }
    json[QStringLiteral("taken_for_equal")] = all;
    return json;
}

/// Lists the calls that may round differently.
QJsonObject roundingJson(const RoundedCalls& calls)
{
    QJsonArray names;
    for (const std::string& name : calls.names)
        names.append(text(name));
    return {{QStringLiteral("count"), static_cast<qint64>(calls.count)}, {QStringLiteral("names"), names}};
}

} // namespace

Result<VerifyReport> verifyResult(const Invocation& invocation, const Program& source, const Program& result, Outcome& outcome)
{
    VerifyReport report{.verdict = Verdict::undecided, .why = "not verified (--no-verify)"};
    if (!invocation.isSet("no-verify")) {
        const Result<VerifyReport> verified = invocation.timer.measure(
            "verify", [&] { return sunder::verifyResult(source, result, invocation.monitor); });
        if (!verified)
            return verified;
        report = *verified;
    }
    const bool isDecided = report.verdict == Verdict::same || report.verdict == Verdict::different;
    outcome.json[QStringLiteral("verified")] = isDecided ? QJsonValue(report.verdict == Verdict::same)
                                                         : QJsonValue(text(name(report.verdict)));
    outcome.json[QStringLiteral("compared")] = comparedJson(report);
    if (report.verdict != Verdict::same) {
        outcome.json[QStringLiteral("why")] = text(report.why);
        const char* what = report.verdict == Verdict::different ? "the result is not equivalent to the source: "
                                                                : "the result is not proven equivalent to the source: ";
        outcome.warnings.push_back("warning: " + (what + report.why));
    }
    for (const std::string& note : notesOf(report))
        addNote(note, outcome);
    return report;
}

std::vector<std::string> notesOf(const VerifyReport& report)
{
    std::vector<std::string> notes = report.notes;
    if (report.unknownOperators.empty())
        return notes;
    std::string names;
    for (const std::string& name : report.unknownOperators)
        names += (names.empty() ? "" : ", ") + name;
    notes.push_back("use --operators FILE for the schemas of " + names);
    return notes;
}

void addNote(const std::string& note, Outcome& outcome)
{
    QJsonArray notes = outcome.json[QStringLiteral("notes")].toArray();
    notes.append(text(note));
    outcome.json[QStringLiteral("notes")] = notes;
    outcome.warnings.push_back("note: " + note);
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
    if (report.verdict == Verdict::sameUpToRounding)
        json[QStringLiteral("rounding")] = roundingJson(report.rounding);
    QJsonArray notes;
    for (const std::string& note : notesOf(report))
        notes.append(text(note));
    json[QStringLiteral("notes")] = notes;
    json[QStringLiteral("compared")] = comparedJson(report);
    return json;
}

} // namespace sunder::cli
