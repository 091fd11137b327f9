#pragma once

#include <optional>
#include <string_view>

namespace sunder::collapse {

/// Where a module stands in a list: "down." and "3" of "down.3.0", "net.layer" and "1" of "net.layer1". Views of the path,
/// one behind the other from its begin on.
struct ListPlace {
    std::string_view list;
    std::string_view number;
};

/// Nothing where no number says it. What `outer`, the module around, is called does not count. Linear in the path.
std::optional<ListPlace> listPlaceOf(std::string_view path, std::string_view outer);

/// Numbers as text of digits: shorter is smaller once leading zeros are gone.
bool isSmallerNumber(std::string_view a, std::string_view b);

} // namespace sunder::collapse
