#pragma once

#include <string>
#include <string_view>

namespace sunder {

/// The custom metadata of a node (JSON, or empty) with `tag` as its "tag", or without one when `tag` is empty. Other
/// keys stay. Empty when nothing is left. What is not an object stays as it is, unless there is a tag to note.
std::string pt2CustomWithTag(const std::string& custom, std::string_view tag);

/// The custom metadata of the whole program (JSON, or empty) with this member put in place of one of its name; `value`
/// is JSON, empty removes it.
std::string pt2CustomWithMember(const std::string& custom, std::string_view name, const std::string& value);

} // namespace sunder
