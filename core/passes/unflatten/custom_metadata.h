#pragma once

#include <string>
#include <string_view>

namespace sunder {

// NodeMeta::json is the text of a JSON object; torch lifts its member `custom` from nodes to the call of their module. The text
// was validated when it was read; text other than an object is left unchanged. O(length) each.

/// Returns the value of the member `custom` as text; empty if it is missing or `{}`.
std::string customOf(std::string_view json);
/// Returns the object without that member; empty if no member is left.
std::string withoutCustom(std::string_view json);
/// Returns the object with that member.
std::string withCustom(std::string_view json, std::string_view custom);

} // namespace sunder
