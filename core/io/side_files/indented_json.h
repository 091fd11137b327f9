#pragma once

#include <nlohmann/json.hpp>

#include <string>

namespace sunder {

/// As people read it: a member a line, indented by one, with a line end. What is no UTF-8 is replaced.
inline std::string indentedText(const nlohmann::ordered_json& json)
{
    constexpr int kIndent = 1;
    return json.dump(kIndent, ' ', false, nlohmann::ordered_json::error_handler_t::replace) + "\n";
}

} // namespace sunder
