#pragma once

#include "analysis/rules/tag_rules.h"
#include "support/json_tape.h"

#include <string>

namespace sunder {

/// Reads a RULES.json (`docs/command-line.md`) of at most 16 MB and 10,000 rules. Rejected, naming the number of the rule and the
/// field: unknown and duplicate keys, values of the wrong type, invalid patterns (checkRule()). Linear.
Result<TagRules> readRulesFile(const std::string& path);

/// The same for a text in memory; errors name `nameForMessages`.
Result<TagRules> parseRulesFile(std::string_view text, const std::string& nameForMessages);

/// The same for an object in another file.
Result<TagRules> rulesFrom(JsonValue object, const std::string& nameForMessages);

/// Returns rules as one JSON object, one rule per line.
std::string rulesText(const TagRules& rules);

/// Writes a rules file, which is replaced atomically.
Result<void> writeRulesFile(const TagRules& rules, const std::string& path);

} // namespace sunder
