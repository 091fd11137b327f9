#pragma once

#include "support/interned_string.h"
#include "support/result.h"

#include <string>
#include <utility>
#include <vector>

namespace sunder {

/// The TAGS.json of `docs/command-line.md`: {"order":["a","b"],"tags":{"conv1":"a"},"color":{"a":"#88ccee"}}.
struct TagsFile {
    std::vector<InternedString> order;                             ///< tags in execution order of the parts
    std::vector<std::pair<InternedString, InternedString>> tags;   ///< node and tag, in file order
    std::vector<std::pair<InternedString, InternedString>> colors; ///< tag and color as "#rrggbb"
};

/// Reads a tags file of at most 256 MB. Rejected, naming file and key: duplicate and unknown keys, values of the wrong type,
/// duplicate tags in the order, invalid colors. `order`, `color`, and `note` are optional. Linear.
Result<TagsFile> readTagsFile(const std::string& path);

/// The same for a text in memory; errors name `nameForMessages`.
Result<TagsFile> parseTagsFile(std::string_view text, const std::string& nameForMessages);

/// Returns the text of a tags file, one node per line. Every tag of the order has a color: its own, else that of its position in
/// the palette.
std::string tagsFileText(const TagsFile& tags);
/// Writes that text; the file is replaced atomically.
Result<void> writeTagsFile(const TagsFile& tags, const std::string& path);

} // namespace sunder
