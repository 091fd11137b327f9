#pragma once

#include "random.h"

#include <string>

namespace sunder::fuzz {

/// Changes what a JSON document, or the lines of an fx-json file, say, so that they stay JSON: values take the place of
/// others of their key, names become others that occur, items and lines are doubled, moved and left out, graphs and
/// values nest. One to six times. Text that is no JSON stays as it is.
void damageDocument(std::string& text, Random& random);
void damageLines(std::string& text, Random& random);

} // namespace sunder::fuzz
