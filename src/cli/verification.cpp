#include "cli/verification.h"

#include "cli/files.h"
#include "verify/verdict_text.h"
#include "verify/verify.h"

namespace sunder::cli {
namespace {

/// Writes the member "compared": the assumptions of a verdict about parameters, buffers, and constants.
void writeCompared(const VerifyReport& report, JsonWriter& json)
{
    constexpr std::size_t kNames = 16;
    json.key("compared");
    json.object([&] {
        json.member("basis", name(report.basis));
        if (report.basis == VerdictBasis::none || report.basis == VerdictBasis::ownMemory)
            return;
        json.member("tensors", report.contents.tensors);
        json.member("bytes", report.contents.bytes);
        json.key("taken_for_equal");
        json.list(report.contents.taken, [&](const TakenNames& taken) {
            json.object([&] {
                json.member("why", taken.why);
                json.member("count", taken.names.size());
                json.member("names", std::span(taken.names).first(std::min(kNames, taken.names.size())));
            });
        });
    });
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
    if (isDecided)
        outcome.json.member("verified", report.verdict == Verdict::same);
    else
        outcome.json.member("verified", name(report.verdict));
    writeCompared(report, outcome.json);
    if (report.verdict != Verdict::same) {
        outcome.json.member("why", report.why);
        const char* what = report.verdict == Verdict::different ? "the result is not equivalent to the source: "
                                                                : "the result is not proven equivalent to the source: ";
        outcome.warnings.push_back("warning: " + (what + report.why));
    }
    outcome.note(notesOf(report));
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

void writeVerdict(const VerifyReport& report, JsonWriter& json)
{
    json.member("verdict", name(report.verdict));
    json.memberIfAny("why", report.why);
    json.memberIfAny("a", report.nameA);
    json.memberIfAny("b", report.nameB);
    json.memberIfAny("output", report.output);
    if (report.verdict == Verdict::sameUpToRounding) {
        json.key("rounding");
        json.object([&] {
            json.member("count", report.rounding.count);
            json.member("names", report.rounding.names);
        });
    }
    json.member("notes", notesOf(report));
    writeCompared(report, json);
}

} // namespace sunder::cli
