#pragma once

#include <string_view>

namespace sunder {

/// Describes a JSON file that belongs to a model, with instructions: "a file of tags, not a model; …". `head` is the start of its
/// text. Empty for unknown files and for exported programs. O(head); checks only the outermost keys.
std::string_view nameOfSideFile(std::string_view head);

} // namespace sunder
