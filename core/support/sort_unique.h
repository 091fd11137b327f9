#pragma once

#include <algorithm>

namespace sunder {

/// Sorts a vector and removes repeated items. O(n log n).
template <typename Items>
void sortUnique(Items& items)
{
    std::sort(items.begin(), items.end());
    items.erase(std::unique(items.begin(), items.end()), items.end());
}

} // namespace sunder
