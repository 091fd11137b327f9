#pragma once

#include "io/sympy/size_assumptions.h"

#include <nlohmann/json.hpp>

#include <string>
#include <vector>

namespace sunder {

/// Formats JSON for people: one member per line, indented by one, with a final line end. Invalid UTF-8 is replaced.
inline std::string indentedText(const nlohmann::ordered_json& json)
{
    constexpr int kIndent = 1;
    return json.dump(kIndent, ' ', false, nlohmann::ordered_json::error_handler_t::replace) + "\n";
}

/// Adds "assumed_sizes":{"s27":8} to an object if there are any.
inline void addAssumedSizes(nlohmann::ordered_json& object, const std::vector<AssumedSize>& sizes)
{
    for (const auto& [symbol, value] : sizes)
        object["assumed_sizes"][symbol.str()] = value;
}

} // namespace sunder
