#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace sunder {

/// Appends a quoted JSON string. `text` is UTF-8; bytes beyond ASCII are copied unchanged.
void appendJsonString(std::string& out, std::string_view text);

/// Appends a finite number as the shortest text that reads back as the same double. It always has a fraction or an exponent
/// ("1.0", "1e+22", "-0.0"), so that it is never read as an integer.
void appendJsonFloat(std::string& out, double value);

void appendJsonInteger(std::string& out, std::int64_t value);

/// Starts the next member of the JSON object in `object`: appends a comma, or a brace if `object` is empty, and the key. Returns
/// `object` for the value.
std::string& startJsonMember(std::string& object, std::string_view key);

/// Ends such an object; nothing for one without members.
void closeJsonObject(std::string& object);

/// Appends the members of a raw JSON object ("{…}") without its braces, each preceded by a comma. Nothing for an empty text or
/// object.
void appendJsonMembers(std::string& out, std::string_view object);

} // namespace sunder
