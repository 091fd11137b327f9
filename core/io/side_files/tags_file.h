#pragma once

#include "support/interned_string.h"
#include "support/result.h"

#include <string>
#include <utility>
#include <vector>

namespace sunder {

/// A TAGS.json of `docs/command-line.md`: {"order":["a","b"],"tags":{"conv1":"a"},"color":{"a":"#88ccee"}}.
struct TagsFile {
    std::vector<InternedString> order;                             ///< tags in the order in which parts run
    std::vector<std::pair<InternedString, InternedString>> tags;   ///< node, tag; in the order of the file
    std::vector<std::pair<InternedString, InternedString>> colors; ///< tag, colour as "#rrggbb"
};

/// Reads a tags file of at most 256 MB. Refuses, naming file and key: keys that are there twice, values of the wrong
/// type, a tag twice in the order, colours that are none, keys that mean nothing. `order`, `color`
/// and `note` may be missing. Linear.
Result<TagsFile> readTagsFile(const std::string& path);

/// The same for a text at hand; errors name `nameForMessages`.
Result<TagsFile> parseTagsFile(std::string_view text, const std::string& nameForMessages);

/// A tags file, one node a line, with a colour for every tag of the order: its own, else that of its place in the palette.
std::string tagsFileText(const TagsFile& tags);
/// Writes that text: the file appears whole or not at all.
Result<void> writeTagsFile(const TagsFile& tags, const std::string& path);

} // namespace sunder
