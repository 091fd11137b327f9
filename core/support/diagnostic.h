#pragma once

#include "support/result.h"

#include <string>
#include <vector>

namespace sunder {

enum class Severity : std::uint8_t { note, warning, error };

/// One of possibly many messages about an input: a readable sentence, and the location of the node.
struct Diagnostic {
    Severity severity = Severity::warning;
    std::string message;
    Location where = {};
};

using Diagnostics = std::vector<Diagnostic>;

} // namespace sunder
