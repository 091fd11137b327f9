#pragma once

#include <optional>
#include <string_view>

namespace sunder::collapse {

/// Position of a module in a list: "down." and "3" for "down.3.0", "net.layer" and "1" for "net.layer1". Both are views of the
/// path; the number directly follows the list.
struct ListPlace {
    std::string_view list;
    std::string_view number;
};

/// Nothing if the path has no number. Numbers in the path of the enclosing module `outer` do not count. Linear in the path.
std::optional<ListPlace> listPlaceOf(std::string_view path, std::string_view outer);

/// Compares numbers given as digits, by length without leading zeros, then by text.
bool isSmallerNumber(std::string_view a, std::string_view b);

} // namespace sunder::collapse
