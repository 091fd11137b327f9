#pragma once

#include "support/interned_string.h"
#include "support/json_tape.h"

#include <string_view>
#include <vector>

namespace sunder {

/// Key of the fx-json header for members of an exported program that have no line in fx-json.
constexpr std::string_view kExportedProgram = "exported_program";

/// True for a member of an exported program or its graph module that has no effect on its meaning: versions, verifier names,
/// notes, and empty members.
bool isWithoutEffect(std::string_view name, JsonValue value);

/// Returns a member as raw JSON, in the form of ProgramOrigin::conditions. O(text).
InternedString conditionOf(std::string_view name, JsonValue value);

/// Adds all members of `program` that have an effect, in order. O(text).
void addConditions(JsonValue program, std::vector<InternedString>& conditions);

} // namespace sunder
