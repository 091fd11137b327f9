#pragma once

#include <string>
#include <string_view>

namespace sunder {

/// Returns a quoted DOT string. DOT cannot represent a backslash before a quote or at the end, so these backslashes are doubled.
/// Control and invisible characters are escaped as in visibleText().
std::string dotQuoted(std::string_view text);

/// Returns JSON as a quoted DOT string that reads back as equal JSON. Escaped quotes and backslashes become \u escapes.
std::string dotQuotedJson(std::string_view json);

/// Returns a quoted label with literal backslashes and line breaks.
std::string dotLabel(std::string_view text);

} // namespace sunder
