#pragma once

#include "support/result.h"

#include <string>
#include <vector>

namespace sunder::cli {

// All output of sunder-cli. A failed write to standard output is an error (a full disk, /dev/full). Names from files cannot
// control a terminal: control and bidirectional characters are escaped.

/// Prints text of the program, with line ends.
Result<void> printText(const std::string& text);
/// Prints lines, given without line ends; to standard error if an output file is standard output.
Result<void> printLines(const std::vector<std::string>& lines, bool isTaken);
/// Prints JSON without line ends as a line.
Result<void> printJson(const std::string& json);
/// Prints one line to standard error, prefixed with the program name.
void complain(const std::string& line);

} // namespace sunder::cli
