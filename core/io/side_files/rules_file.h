#pragma once

#include "analysis/rules/tag_rules.h"
#include "io/json/json_tape.h"

#include <string>

namespace sunder {

/// Reads a RULES.json, see `docs/command-line.md`, of at most 16 MB and 10,000 rules. Refuses, naming the number of the rule and the field: keys that mean
/// nothing or stand there twice, values of the wrong type, patterns that are none (checkRule()). Linear.
Result<TagRules> readRulesFile(const std::string& path);

/// The same for a text at hand; errors name `nameForMessages`.
Result<TagRules> parseRulesFile(std::string_view text, const std::string& nameForMessages);

/// The same for an object that stands in another file.
Result<TagRules> rulesFrom(JsonValue object, const std::string& nameForMessages);

/// Rules as one JSON object, a rule a line.
std::string rulesText(const TagRules& rules);

/// Writes a rules file. It appears whole or not at all.
Result<void> writeRulesFile(const TagRules& rules, const std::string& path);

} // namespace sunder
