#pragma once

#include "verify/normal_rules.h"

#include <span>
#include <utility>

namespace sunder {

/// Returns, by name, the rules for calls that return their argument or a view of it.
std::span<const std::pair<std::string_view, ApplyRule>> viewRules();

} // namespace sunder
