#pragma once

#include "verify/normal_rules.h"

#include <span>
#include <utility>

namespace sunder {

/// Rules by name for calls that hand on what they are given, or give a view of it: these are left out, or take one form.
std::span<const std::pair<std::string_view, ApplyRule>> viewRules();

} // namespace sunder
