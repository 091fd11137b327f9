#pragma once

namespace sunder::cli {

struct Drawing;

/// Runs the command that the arguments of main() name, and prints its output. `drawing` draws pictures; it may be null. Returns the
/// exit status.
int runCommandLine(int argc, char** argv, const Drawing* drawing);

} // namespace sunder::cli
