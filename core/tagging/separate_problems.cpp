// Problems of parts that are separate models (core/parts): copies of written memory, values that cannot be passed on, state that
// is set in another part.
#include "support/format.h"
#include "tagging/problem_search.h"
#include "tagging/tag_repairs.h"

#include <algorithm>
#include <string>

namespace sunder {
namespace {

void addText(const ProblemSearch& search, Problem& problem, std::string text)
{
    problem.text = std::move(text) + ".";
    std::erase(problem.nodes, NodeId());
    std::vector<NodeId> once;
    for (const NodeId id : problem.nodes)
        if (std::ranges::find(once, id) == once.end() && search.graph()[id].isCall())
            once.push_back(id);
    problem.nodes = std::move(once);
}

/// Offers to retag calls, including the calls that must move with them.
void offerToMove(const ProblemSearch& search, Problem& problem, const std::vector<std::uint32_t>& calls, std::int32_t from,
                 std::int32_t to, const Finding& cured)
{
    if (calls.empty() || from == to || from < 0 || to < 0)
        return;
    const LegalityState& state = search.offers.state();
    search.offers.offerMove(problem, from < to ? raisedWith(state, calls, to) : loweredWith(state, calls, to),
                            state.tables().nodes[calls.front()], to, {&cured, 1});
}

/// Returns the calls of a tag that use a memory, ascending.
std::vector<std::uint32_t> usersWith(const LegalityState& state, std::uint32_t memory, std::int32_t tag)
{
    std::vector<std::uint32_t> users;
    for (const LegalityTables::CallUse& use : state.tables().uses[memory])
        if (use.call != LegalityTables::kNone) {
            const std::uint32_t owner = state.tables().ownerOf[use.call];
            if (state.tagOf(owner) == tag)
                users.push_back(owner);
        }
    std::ranges::sort(users);
    const auto [first, last] = std::ranges::unique(users);
    users.erase(first, last);
    return users;
}

void addSplitMemory(const ProblemSearch& search, const SplitState& split)
{
    Problem problem{.kind = Problem::Kind::splitState, .severity = split.doubts.isNone() ? Severity::error : Severity::warning};
    problem.nodes = {split.writer, split.reader, split.value};
    addText(search, problem, describe(split, search.snapshot.program, search.tags));
    problem.text += describe(split.doubts);
    const LegalityState& state = search.offers.state();
    const Finding cured{Finding::Kind::copies, split.number,
                        split.isResult ? Finding::kResult : search.tags.order[static_cast<std::size_t>(split.readerTag)].id()};
    const std::uint32_t maker = split.value ? search.offers.callOf(split.value) : LegalityTables::kNone;
    const std::int32_t made = maker == LegalityTables::kNone ? TagAssignment::kUntagged
                                                             : state.tagOf(state.tables().ownerOf[maker]);
    const std::vector<std::uint32_t> writers = usersWith(state, split.number, split.writerTag);
    offerToMove(search, problem, usersWith(state, split.number, split.readerTag), split.readerTag, split.writerTag, cured);
    offerToMove(search, problem, writers, split.writerTag, split.readerTag, cured);
    if (made != split.readerTag && made != split.writerTag)
        offerToMove(search, problem, writers, split.writerTag, made, cured);
    if (maker != LegalityTables::kNone && made != split.writerTag)
        offerToMove(search, problem, {state.tables().ownerOf[maker]}, made, split.writerTag, cured);
    search.add(std::move(problem));
}

void addBoundCrossing(const ProblemSearch& search, const BoundCrossing& crossing)
{
    Problem problem{.kind = Problem::Kind::boundValue, .nodes = {crossing.producer, crossing.consumer}};
    addText(search, problem, describe(crossing, search.snapshot.program, search.tags));
    const LegalityState& state = search.offers.state();
    const LegalityTables& tables = state.tables();
    const std::uint32_t call = search.offers.callOf(crossing.producer);
    const Finding cured{Finding::Kind::boundValue, call, 0};
    auto [nodes, tag] = movedToReader(state, tables.ownerOf[call]);
    search.offers.offerMove(problem, std::move(nodes), crossing.producer, tag, {&cured, 1});
    std::vector<std::uint32_t> readers;
    for (const LegalityTables::BoundValue& value : tables.boundValues)
        if (value.call == call && value.reader != LegalityTables::kNone
            && state.tagOf(tables.ownerOf[value.reader]) != crossing.producerTag)
            readers.push_back(tables.ownerOf[value.reader]);
    offerToMove(search, problem, readers, crossing.consumerTag, crossing.producerTag, cured);
    search.add(std::move(problem));
}

/// Returns the first and last call of a region: the setter, and the call that resets it.
std::pair<std::uint32_t, std::uint32_t> regionOf(const LegalityTables& tables, std::uint32_t setter)
{
    const GlobalSetter& what = tables.globalSetters[setter];
    std::uint32_t end = what.left;
    for (std::uint32_t next = setter + 1; what.kind == GlobalSetter::Kind::grad && next < tables.setters.size(); ++next)
        if (tables.globalSetters[next].kind == GlobalSetter::Kind::grad) {
            end = next;
            break;
        }
    return {tables.setters[setter], end == GlobalSetter::kNone ? tables.callCount() - 1 : tables.setters[end]};
}

void addCutRegion(const ProblemSearch& search, const CutRegion& region)
{
    Problem problem{.kind = Problem::Kind::cutRegion,
                    .severity = region.canRepeat ? Severity::note : Severity::error,
                    .nodes = {region.setter, region.node}};
    addText(search, problem, describe(region, search.snapshot.program, search.tags));
    const LegalityState& state = search.offers.state();
    const LegalityTables& tables = state.tables();
    const auto at = std::ranges::find(tables.setters, search.offers.callOf(region.setter));
    const auto setter = static_cast<std::uint32_t>(at - tables.setters.begin());
    const Finding cured{region.canRepeat ? Finding::Kind::repeated : Finding::Kind::cutRegion, setter, 0};
    const auto [first, last] = regionOf(tables, setter);
    std::int32_t lowest = region.setterTag;
    std::int32_t highest = region.setterTag;
    for (std::uint32_t call = first; call <= last; ++call)
        if (state.tagOf(call) >= 0) {
            lowest = std::min(lowest, state.tagOf(call));
            highest = std::max(highest, state.tagOf(call));
        }
    std::vector<std::uint32_t> toLower;
    std::vector<std::uint32_t> toRaise;
    for (std::uint32_t call = first; call <= last; ++call) {
        if (state.tagOf(call) > lowest)
            toLower.push_back(call);
        if (state.tagOf(call) >= 0 && state.tagOf(call) < highest)
            toRaise.push_back(call);
    }
    offerToMove(search, problem, toLower, highest, lowest, cured);
    offerToMove(search, problem, toRaise, lowest, highest, cured);
    search.add(std::move(problem));
}

/// Adds the first problems of a kind individually, and one for those beyond the limit.
template <typename Items, typename Add>
void addAll(const ProblemSearch& search, const Items& items, const Add& add, const char* noun)
{
    const std::size_t shown = std::min(search.options.limit, items.size());
    for (std::size_t i = 0; i < shown; ++i)
        add(items[i]);
    if (items.size() > shown)
        search.addMore(Severity::error, formatCount(items.size() - shown, noun) + " more.", {});
}

} // namespace

void addSplitState(const ProblemSearch& search)
{
    const std::vector<SplitState>& all = search.report.splitState;
    addAll(search, all, [&](const SplitState& split) { addSplitMemory(search, split); }, "copy of written memory");
}

void addBoundCrossings(const ProblemSearch& search)
{
    addAll(
        search, search.report.boundCrossings, [&](const BoundCrossing& crossing) { addBoundCrossing(search, crossing); },
        "value that parts cannot pass");
}

void addPartForms(const ProblemSearch& search)
{
    for (const Error& error : search.options.partForms) {
        Problem problem{.kind = Problem::Kind::partForm, .text = error.message + "."};
        if (const NodeId node = search.graph().find(intern(error.where.node)); node && search.graph()[node].isCall())
            problem.nodes.push_back(node);
        search.add(std::move(problem));
    }
}

void addCutRegions(const ProblemSearch& search, bool canRepeat)
{
    for (const CutRegion& region : search.report.cutRegions)
        if (region.canRepeat == canRepeat)
            addCutRegion(search, region);
}

} // namespace sunder
