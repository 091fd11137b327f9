#pragma once

#include "io/json/json_tape.h"
#include "support/interned_string.h"

#include <string_view>
#include <vector>

namespace sunder {

/// The key of an fx-json header that has the members of an exported program that have no line of their own.
constexpr std::string_view kExportedProgram = "exported_program";

/// True for a member of an exported program or its graph module that decides nothing: versions, the names of verifiers, notes, and
/// what is empty.
bool isWithoutEffect(std::string_view name, JsonValue value);

/// A member as raw JSON, as ProgramOrigin::conditions has it. O(text).
InternedString conditionOf(std::string_view name, JsonValue value);

/// Adds all members of `program` that are not without effect, in order. O(text).
void addConditions(JsonValue program, std::vector<InternedString>& conditions);

} // namespace sunder
