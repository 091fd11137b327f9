#include "analysis/cut/cut_summary.h"

#include <algorithm>

namespace sunder {

const CutSummary::Part* CutSummary::part(const std::string& name) const
{
    const auto found = std::ranges::find(parts, name, &Part::name);
    return found == parts.end() ? nullptr : &*found;
}

const CutSummary::Part* CutSummary::slowest() const
{
    const Part* most = nullptr;
    for (const Part& part : parts)
        if (part.load && (most == nullptr || *part.load > *most->load))
            most = &part;
    return most;
}

std::optional<double> CutSummary::loadImbalance() const
{
    double sum = 0;
    std::size_t count = 0;
    for (const Part& part : parts)
        if (part.load) {
            sum += *part.load;
            ++count;
        }
    if (sum <= 0)
        return std::nullopt;
    return *slowest()->load * static_cast<double>(count) / sum;
}

std::optional<double> CutSummary::gap() const
{
    const Part* most = slowest();
    if (most == nullptr || !bound || *bound <= 0)
        return std::nullopt;
    return isOptimal ? 0 : *most->load / *bound - 1;
}

} // namespace sunder
