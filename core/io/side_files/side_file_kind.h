#pragma once

#include <string_view>

namespace sunder {

/// What the beginning of a JSON text is that belongs beside a model, with what to do with it: "a file of tags, not a model; …".
/// Empty where it is none of ours, or looks like an exported program. O(head); nothing of it is trusted but its outermost keys.
std::string_view nameOfSideFile(std::string_view head);

} // namespace sunder
