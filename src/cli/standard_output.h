#pragma once

#include "support/result.h"

#include <QJsonObject>

#include <string>
#include <vector>

namespace sunder::cli {

// The one place where sunder-cli speaks. What cannot be written to standard output is an error (a full disk, /dev/full).
// Names from files cannot steer a terminal: controls and marks of direction are written as escapes.

/// Text of our own, with line ends.
Result<void> printText(const std::string& text);
/// Lines without their ends; to standard error when standard output is taken.
Result<void> printLines(const std::vector<std::string>& lines, bool isTaken);
/// One line of JSON.
Result<void> printJson(const QJsonObject& object);
/// One line on standard error, behind the name of the program.
void complain(const std::string& line);

} // namespace sunder::cli
