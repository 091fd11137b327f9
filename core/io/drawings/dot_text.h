#pragma once

#include <string>
#include <string_view>

namespace sunder {

/// A text in quotes as DOT reads it back. What DOT cannot say (a backslash before a quote or at the end) has the
/// backslash doubled; controls and marks without shape are escaped as by visibleText().
std::string dotQuoted(std::string_view text);

/// JSON as a quoted text that DOT reads back as equal JSON: escaped quotes and backslashes become \u escapes.
std::string dotQuotedJson(std::string_view json);

/// A label: backslashes stand for themselves, line ends break the line.
std::string dotLabel(std::string_view text);

} // namespace sunder
