#include "tagging/related_problems.h"

#include <algorithm>
#include <cstdint>
#include <utility>

namespace sunder {
namespace {

constexpr std::size_t kMaxLeaders = 20; ///< later errors are rarely read before these are fixed

const Findings* removedFirst(const Problem& problem)
{
    const auto repair = std::ranges::find_if(problem.repairs, [](const Repair& one) { return !one.removes.empty(); });
    return repair == problem.repairs.end() ? nullptr : &repair->removes;
}

bool saysNotProven(const Problem& problem)
{
    return problem.kind == Problem::Kind::notEqual || problem.kind == Problem::Kind::undecided;
}

/// Returns the errors, with cycles last, since they are consequences of others.
std::vector<std::size_t> causesFirst(const Problems& problems)
{
    std::vector<std::size_t> errors;
    for (const bool wantsCircles : {false, true})
        for (std::size_t at = 0; at < problems.size(); ++at)
            if (problems[at].severity == Severity::error && (problems[at].kind == Problem::Kind::circle) == wantsCircles)
                errors.push_back(at);
    return errors;
}

using Leaders = std::vector<std::optional<std::size_t>>; ///< per problem

Leaders leadersOf(const Problems& problems)
{
    Leaders leaders(problems.size());
    std::vector<std::uint8_t> leads(problems.size());
    std::size_t found = 0;
    for (const std::size_t at : causesFirst(problems)) {
        const Findings* removed = removedFirst(problems[at]);
        if (leaders[at] || removed == nullptr || found == kMaxLeaders)
            continue;
        ++found;
        leads[at] = 1;
        for (std::size_t other = 0; other < problems.size(); ++other)
            if (!leads[other] && !leaders[other] && !problems[other].about.empty()
                && std::ranges::includes(*removed, problems[other].about))
                leaders[other] = at;
    }
    const auto why = std::ranges::find_if(problems, [](const Problem& problem) {
        return problem.kind == Problem::Kind::orderDependency || problem.kind == Problem::Kind::leftRegion;
    });
    const auto place = static_cast<std::size_t>(why - problems.begin());
    for (std::size_t at = 0; at < problems.size() && why != problems.end(); ++at)
        if (saysNotProven(problems[at]))
            leaders[at] = leaders[place].value_or(place);
    return leaders;
}

} // namespace

void groupRelated(Problems& problems)
{
    const Leaders leaders = leadersOf(problems);
    std::vector<std::vector<std::size_t>> led(problems.size());
    for (std::size_t at = 0; at < problems.size(); ++at)
        if (leaders[at])
            led[*leaders[at]].push_back(at);
    Problems sorted;
    sorted.reserve(problems.size());
    for (std::size_t at = 0; at < problems.size(); ++at) {
        if (leaders[at])
            continue;
        const std::size_t leader = sorted.size();
        sorted.push_back(std::move(problems[at]));
        for (const std::size_t other : led[at]) {
            sorted.push_back(std::move(problems[other]));
            sorted.back().goesWith = leader;
        }
    }
    problems = std::move(sorted);
}

} // namespace sunder
