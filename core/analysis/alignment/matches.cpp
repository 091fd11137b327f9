#include "analysis/alignment/matches.h"

#include <algorithm>

namespace sunder {
namespace {
constexpr std::size_t kMaxDoubts = 16;
}

void NodeMatch::doubt(std::uint32_t other)
{
    if (other == old || std::ranges::find(others, other) != others.end())
        return;
    if (others.size() < kMaxDoubts)
        others.push_back(other);
    else
        hasMore = true;
}

void Matches::pair(std::uint32_t old, std::uint32_t now)
{
    ofNow[now].old = old;
    ofOld[old] = now;
}

} // namespace sunder
