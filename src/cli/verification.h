#pragma once

#include "cli/command.h"
#include "verify/verify.h"

namespace sunder::cli {

/// Verifies a result against its source (booked as "verify"), unless --no-verify is given: then `undecided`, "not
/// checked". Says the outcome in `outcome.json` ("verified", "why", "notes") and as a warning when it is not proven.
Result<VerifyReport> verifyResult(const Invocation& invocation, const Program& source, const Program& result, Outcome& outcome);

/// Says a thing that whoever reads the result should know: in "notes" of the JSON, and on standard error.
void addNote(const std::string& note, Outcome& outcome);

/// The report's notes, and how to give the schemas of operators that nobody knows.
std::vector<std::string> notesOf(const VerifyReport& report);

/// The report as JSON: verdict, why, nodes, output, notes.
QJsonObject jsonOf(const VerifyReport& report);

} // namespace sunder::cli
