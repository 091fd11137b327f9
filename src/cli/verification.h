#pragma once

#include "cli/command.h"
#include "verify/verify.h"

namespace sunder::cli {

/// Verifies a result against its source (timed as "verify"). With --no-verify, the report is `undecided`, "not checked". Adds
/// "verified", "why", and "notes" to `outcome.json`, and a warning if the result is not proven.
Result<VerifyReport> verifyResult(const Invocation& invocation, const Program& source, const Program& result, Outcome& outcome);

/// Returns the notes of the report and advice on schemas for unknown operators.
std::vector<std::string> notesOf(const VerifyReport& report);

/// Writes the members of a report: verdict, why, nodes, output, notes.
void writeVerdict(const VerifyReport& report, JsonWriter& json);

} // namespace sunder::cli
