#include "tagging/tag_check.h"

#include <chrono>

namespace sunder {

namespace {

std::vector<DeviceFit> fitsOf(const Snapshot& snapshot, const TagAssignment& tags, DeviceQuestion& question)
{
    std::vector<DeviceFit> fits;
    const bool isAnyTagged = !tags.order.empty() && !question.devices.empty();
    if (!isAnyTagged && !question.partition)
        return fits;
    if (!question.graph)
        question.graph = std::make_shared<const CutGraph>(cutGraph(snapshot.program, MemoryRule::freesDead));
    if (isAnyTagged)
        fits.push_back(deviceFit(question.graph, tags, std::move(question.devices)));
    if (question.partition)
        fits.push_back(deviceFit(question.graph, std::move(question.partition->cut), std::move(question.partition->devices),
                                 question.partition->dag));
    return fits;
}

} // namespace

LegalityStatePtr legalityOf(const Snapshot& snapshot, const TagAssignment& tags)
{
    return std::make_shared<LegalityState>(std::make_shared<const LegalityTables>(legalityTables(snapshot.program)), tags);
}

TagCheck checkOf(const Snapshot& snapshot, const TagAssignment& tags, ProblemOptions options, DeviceQuestion question,
                 LegalityStatePtr state)
{
    using Clock = std::chrono::steady_clock;
    const Clock::time_point start = Clock::now();
    if (state)
        state->follow(tags);
    else
        state = legalityOf(snapshot, tags);
    TagCheck check{.report = state->report(), .totals = tagTotals(snapshot, tags)};
    check.fits = fitsOf(snapshot, tags, question);
    check.milliseconds = std::chrono::duration<double, std::milli>(Clock::now() - start).count();
    options.fits = check.fits;
    check.problems = problemsOf(snapshot, *state, check.report, options);
    check.state = std::move(state);
    return check;
}

} // namespace sunder
