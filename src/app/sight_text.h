#pragma once

#include "panes/graph_view.h"
#include "support/json_tape.h"

#include <optional>
#include <string>
#include <string_view>

namespace sunder {

/// Returns the view of a graph as a JSON object on one line, for projects and settings. Empty if it is too large to keep (10,000
/// names).
[[nodiscard]] std::string textOfSight(const GraphSight& sight);

/// Parses such a text. Returns nothing if it is invalid: numbers out of range, or too many or too long names.
[[nodiscard]] std::optional<GraphSight> sightOfText(std::string_view text);
/// The same for a value of a file; nothing if it is absent.
[[nodiscard]] std::optional<GraphSight> sightOfJson(JsonValue json);

} // namespace sunder
