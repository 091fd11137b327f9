#include "layout/collapse/list_place.h"

#include "layout/picture/item_text.h"
#include "support/text.h"

#include <algorithm>

namespace sunder::collapse {

std::optional<ListPlace> listPlaceOf(std::string_view path, std::string_view outer)
{
    const std::size_t begin = path.size() - pathWithin(path, outer).size();
    for (std::size_t at = begin; at < path.size();) {
        const std::size_t end = std::min(path.find('.', at), path.size());
        const std::string_view name = path.substr(at, end - at);
        if (!name.empty() && std::all_of(name.begin(), name.end(), isAsciiDigit))
            return ListPlace{path.substr(0, at), name};
        at = end + 1;
    }
    std::size_t digits = path.size();
    while (digits > begin && isAsciiDigit(path[digits - 1]))
        --digits;
    if (digits == path.size())
        return std::nullopt;
    return ListPlace{path.substr(0, digits), path.substr(digits)};
}

bool isSmallerNumber(std::string_view a, std::string_view b)
{
    a.remove_prefix(std::min(a.find_first_not_of('0'), a.size()));
    b.remove_prefix(std::min(b.find_first_not_of('0'), b.size()));
    return a.size() != b.size() ? a.size() < b.size() : a < b;
}

} // namespace sunder::collapse
