#pragma once

#include <string>
#include <string_view>

namespace sunder {

/// Returns the custom metadata of a node (JSON or empty) with `tag` as its "tag", or without a tag if `tag` is empty. Other keys
/// are kept. Empty if nothing remains. Metadata that is not an object is unchanged unless there is a tag to add.
std::string pt2CustomWithTag(const std::string& custom, std::string_view tag);

/// Returns the custom metadata of the whole program (JSON or empty) with this member added or replaced. `value` is JSON; an empty
/// value removes the member.
std::string pt2CustomWithMember(const std::string& custom, std::string_view name, const std::string& value);

} // namespace sunder
