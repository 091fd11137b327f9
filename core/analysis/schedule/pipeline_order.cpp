#include "analysis/schedule/pipeline_order.h"

#include "analysis/schedule/rank_actions.h"
#include "support/format.h"

#include <algorithm>
#include <array>

namespace sunder {
namespace {

constexpr std::array<std::string_view, 8> kScheduleNames = {
    "GPipe", "1F1B", "LoopedBFS", "Interleaved1F1B", "InterleavedZeroBubble", "ZBVZeroBubble", "DualPipeV", "inference"};
constexpr std::array<PipelineSchedule, 7> kTrainingSchedules = {
    PipelineSchedule::gpipe,           PipelineSchedule::oneForwardOneBackward, PipelineSchedule::loopedBfs,
    PipelineSchedule::interleaved1F1B, PipelineSchedule::interleavedZeroBubble, PipelineSchedule::zbvZeroBubble,
    PipelineSchedule::dualPipeV};
constexpr std::uint64_t kMaxActions = 20'000'000;
constexpr std::uint32_t kMaxPipelineStages = 8192;

std::string sizesText(const PipelineSizes& sizes)
{
    return formatCount(sizes.microBatches) + (sizes.microBatches == 1 ? " micro-batch, " : " micro-batches, ")
        + formatCount(sizes.stages, "stage") + ", and " + formatCount(sizes.ranks, "rank");
}

Result<std::uint32_t> roundOf(PipelineSchedule schedule, const PipelineSizes& sizes)
{
    const std::uint32_t rounds = std::max(1U, sizes.microBatches / sizes.ranks);
    if (sizes.microBatches % rounds != 0)
        return fail(ErrorCode::refused,
                    std::string(name(schedule)) + " on " + formatCount(sizes.ranks, "rank") + " needs a multiple of "
                        + formatCount(rounds) + " micro-batches, not " + formatCount(sizes.microBatches));
    return sizes.microBatches / rounds;
}

Result<void> checkMicroBatches(PipelineSchedule schedule, const PipelineSizes& sizes)
{
    const bool isLimited = schedule == PipelineSchedule::oneForwardOneBackward || schedule == PipelineSchedule::dualPipeV;
    if (isLimited && sizes.microBatches < sizes.stages)
        return fail(ErrorCode::refused,
                    std::string(name(schedule)) + " needs at least as many micro-batches as stages: "
                        + formatCount(sizes.microBatches) + " for " + formatCount(sizes.stages, "stage"));
    if (sizes.stages > kMaxPipelineStages || std::uint64_t{sizes.stages} * sizes.microBatches * 3 > kMaxActions)
        return fail(ErrorCode::refused, "too many actions for a timetable: " + sizesText(sizes));
    return {};
}

/// Runs an order without times. Fails if some rank waits forever, since both halves of an overlapped pair start only once the
/// inputs of both are there, or if the passes of a micro-batch are incomplete.
class OrderCheck {
public:
    explicit OrderCheck(const PipelineOrder& order)
        : m_order(order), m_forward(cells(), 0), m_backward(cells(), 0), m_weight(cells(), 0)
    {
    }

    [[nodiscard]] bool isComplete()
    {
        std::vector<std::size_t> next(m_order.ranks.size(), 0);
        for (bool moved = true; moved;) {
            moved = false;
            for (std::size_t rank = 0; rank < next.size(); ++rank)
                while (next[rank] < m_order.ranks[rank].size() && advance(m_order.ranks[rank], next[rank]))
                    moved = true;
        }
        return std::ranges::all_of(m_weight, [](char done) { return done != 0; });
    }

private:
    [[nodiscard]] std::size_t cells() const { return std::size_t{m_order.sizes.stages} * m_order.sizes.microBatches; }
    [[nodiscard]] std::size_t cell(std::uint32_t stage, std::uint32_t batch) const
    {
        return std::size_t{stage} * m_order.sizes.microBatches + batch;
    }

    [[nodiscard]] bool isReady(const PipelineAction& action) const
    {
        const std::size_t own = cell(action.stage, action.microBatch);
        switch (action.kind) {
        case ActionKind::forward: return action.stage == 0 || m_forward[cell(action.stage - 1, action.microBatch)] != 0;
        case ActionKind::weightGradient: return m_backward[own] != 0;
        case ActionKind::backward:
        case ActionKind::inputGradient: break;
        }
        return m_forward[own] != 0
            && (action.stage + 1 == m_order.sizes.stages || m_backward[cell(action.stage + 1, action.microBatch)] != 0);
    }

    bool advance(const std::vector<PipelineAction>& actions, std::size_t& next)
    {
        const std::size_t count = actions[next].overlapsNext ? 2 : 1;
        for (std::size_t i = 0; i < count; ++i)
            if (!isReady(actions[next + i]))
                return false;
        for (std::size_t i = 0; i < count; ++i) {
            const PipelineAction& action = actions[next + i];
            const std::size_t own = cell(action.stage, action.microBatch);
            const bool isForward = action.kind == ActionKind::forward;
            const bool isWeight = action.kind == ActionKind::weightGradient;
            (isForward ? m_forward : isWeight ? m_weight : m_backward)[own] = 1;
            if (action.kind == ActionKind::backward || (isForward && m_order.schedule == PipelineSchedule::inference))
                m_weight[own] = 1;
        }
        next += count;
        return true;
    }

    const PipelineOrder& m_order;
    std::vector<char> m_forward; ///< per stage and micro-batch: done
    std::vector<char> m_backward;
    std::vector<char> m_weight;
};

} // namespace

std::string_view name(PipelineSchedule schedule)
{
    return kScheduleNames[static_cast<std::size_t>(schedule)];
}

std::span<const PipelineSchedule> trainingSchedules()
{
    return kTrainingSchedules;
}

Result<PipelineSchedule> parsePipelineSchedule(std::string_view text)
{
    std::string names;
    const auto lower = [](char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c; };
    for (std::size_t i = 0; i < kScheduleNames.size(); ++i) {
        if (std::ranges::equal(text, kScheduleNames[i], {}, lower, lower))
            return static_cast<PipelineSchedule>(i);
        names += (i == 0 ? "" : ", ") + std::string(kScheduleNames[i]);
    }
    return fail(ErrorCode::usage, "unknown schedule \"" + std::string(text) + "\"; the schedules are " + names);
}

bool hasOneStagePerRank(PipelineSchedule schedule)
{
    return schedule == PipelineSchedule::gpipe || schedule == PipelineSchedule::oneForwardOneBackward
        || schedule == PipelineSchedule::inference;
}

Result<PipelineSizes> pipelineSizes(PipelineSchedule schedule, std::uint32_t stages, std::uint32_t microBatches,
                                    std::optional<std::uint32_t> ranks)
{
    if (stages == 0 || microBatches == 0 || ranks == 0U)
        return fail(ErrorCode::refused, "a pipeline needs a stage, a rank, and a micro-batch");
    const std::string of(name(schedule));
    const bool isOneEach = hasOneStagePerRank(schedule) || (!goesBack(schedule) && stages % 2 != 0);
    const std::uint32_t used = ranks.value_or(isOneEach ? stages : std::max(1U, stages / 2));
    if (hasOneStagePerRank(schedule) && used != stages)
        return fail(ErrorCode::refused,
                    of + " runs one stage per rank: " + formatCount(stages, "stage") + " for " + formatCount(used, "rank"));
    if (goesBack(schedule) && 2 * std::uint64_t{used} != stages)
        return fail(ErrorCode::refused,
                    of + " runs two stages per rank: " + formatCount(stages, "stage") + " for " + formatCount(used, "rank"));
    if (stages % used != 0)
        return fail(ErrorCode::refused,
                    of + " runs equally many stages on each rank: " + formatCount(stages, "stage") + " for "
                        + formatCount(used, "rank"));
    return PipelineSizes{.ranks = used, .stages = stages, .microBatches = microBatches};
}

std::string describe(const PipelineAction& action)
{
    constexpr std::string_view kLetters = "FBIW";
    return std::to_string(action.stage) + kLetters[static_cast<std::size_t>(action.kind)] + std::to_string(action.microBatch);
}

std::size_t PipelineOrder::actionCount() const
{
    std::size_t count = 0;
    for (const std::vector<PipelineAction>& actions : ranks)
        count += actions.size();
    return count;
}

std::vector<std::uint64_t> PipelineOrder::inFlightOfStages() const
{
    std::vector<std::uint64_t> held(sizes.stages, 0);
    std::vector<std::uint64_t> most(sizes.stages, 0);
    for (const std::vector<PipelineAction>& actions : ranks)
        for (const PipelineAction& action : actions) {
            if (action.kind == ActionKind::forward)
                most[action.stage] = std::max(most[action.stage], ++held[action.stage]);
            else if (action.kind != ActionKind::inputGradient)
                --held[action.stage];
        }
    return most;
}

std::vector<std::string> actionTexts(std::span<const PipelineAction> actions)
{
    std::vector<std::string> texts;
    for (std::size_t i = 0; i < actions.size(); ++i) {
        if (actions[i].overlapsNext) {
            texts.push_back('(' + describe(actions[i]) + ';' + describe(actions[i + 1]) + ")OVERLAP_F_B");
            ++i;
        } else {
            texts.push_back(describe(actions[i]));
        }
    }
    return texts;
}

Result<PipelineOrder> pipelineOrder(PipelineSchedule schedule, const PipelineSizes& sizes)
{
    SUNDER_TRY(PipelineOrder order, [&]() -> Result<PipelineOrder> {
        SUNDER_TRY(const PipelineSizes checked, pipelineSizes(schedule, sizes.stages, sizes.microBatches, sizes.ranks));
        SUNDER_PROPAGATE(checkMicroBatches(schedule, checked));
        return PipelineOrder{.schedule = schedule, .sizes = checked};
    }());
    std::uint32_t round = 1;
    if (schedule == PipelineSchedule::interleaved1F1B || schedule == PipelineSchedule::interleavedZeroBubble) {
        SUNDER_TRY(round, roundOf(schedule, sizes));
    }
    order.rankOf.resize(sizes.stages);
    for (std::uint32_t stage = 0; stage < sizes.stages; ++stage)
        order.rankOf[stage] = goesBack(schedule) && stage >= sizes.ranks ? sizes.stages - 1 - stage : stage % sizes.ranks;
    for (std::uint32_t rank = 0; rank < sizes.ranks; ++rank)
        order.ranks.push_back(rankActions(schedule, order.sizes, rank, round));
    if (!OrderCheck(order).isComplete())
        return fail(ErrorCode::refused,
                    std::string(name(schedule)) + " cannot run " + sizesText(sizes) + ": a rank waits forever");
    return order;
}

} // namespace sunder
