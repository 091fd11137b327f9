#pragma once

#include <string>
#include <string_view>

namespace sunder {

// NodeMeta::json is the text of a JSON object; `custom` is the member that torch lifts from nodes to the call of their
// module. The text was checked when it was read; what is not an object is left alone. O(length) each.

/// The value of the member `custom` as text; empty when there is none or it is `{}`.
std::string customOf(std::string_view json);
/// The object without that member; empty when nothing is left.
std::string withoutCustom(std::string_view json);
/// The object with that member.
std::string withCustom(std::string_view json, std::string_view custom);

} // namespace sunder
