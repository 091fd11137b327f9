#pragma once

#include "random.h"

#include <string>

namespace sunder::fuzz {

/// Change a JSON document, or the lines of an fx-json file, so that they remain valid JSON, one to six times. Values are replaced
/// by others of the same key, and names by other names of the text. Items and lines are duplicated, moved, and removed; graphs
/// and values are nested. Invalid JSON is left unchanged.
void damageDocument(std::string& text, Random& random);
void damageLines(std::string& text, Random& random);

} // namespace sunder::fuzz
