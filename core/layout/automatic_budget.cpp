#include "layout/automatic_budget.h"

#include <algorithm>

namespace sunder {
namespace {

constexpr std::uint64_t kFewCrossings = 10; ///< a body with this many crossings may use half of the remaining work

} // namespace

bool DotBudget::allows(std::uint64_t work, std::uint64_t crossings) const
{
    const double share = static_cast<double>(crossings) / static_cast<double>(crossings + kFewCrossings);
    return m_milliseconds > 0 && static_cast<double>(work) <= share * static_cast<double>(m_work);
}

void DotBudget::spend(std::uint64_t work, std::uint32_t milliseconds)
{
    m_work -= std::min(m_work, work);
    m_milliseconds -= std::min(m_milliseconds, milliseconds);
}

} // namespace sunder
