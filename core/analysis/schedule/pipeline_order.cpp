#include "analysis/schedule/pipeline_order.h"

#include "support/format.h"

#include <algorithm>
#include <array>
#include <deque>

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

/// Returns whether a rank runs a stage from each half, so that the stages go forth and back over the ranks.
bool isV(PipelineSchedule schedule)
{
    return schedule == PipelineSchedule::zbvZeroBubble || schedule == PipelineSchedule::dualPipeV;
}

std::string sizesText(const PipelineSizes& sizes)
{
    return formatCount(sizes.microBatches) + (sizes.microBatches == 1 ? " micro-batch, " : " micro-batches, ")
        + formatCount(sizes.stages, "stage") + ", and " + formatCount(sizes.ranks, "rank");
}

/// Writes the actions of one rank. Stages are numbered within the rank; each of them takes its micro-batches in order.
class RankWriter {
public:
    RankWriter(const PipelineSizes& sizes, std::uint32_t rank, bool isFolded, std::vector<PipelineAction>& out)
        : m_sizes(sizes), m_rank(rank), m_isFolded(isFolded), m_counts(sizes.stages / sizes.ranks), m_out(out)
    {
    }

    void gpipe()
    {
        forwardAll(0);
        for (std::uint32_t i = 0; i < m_sizes.microBatches; ++i)
            add(0, ActionKind::backward);
    }

    void forwardOnly() { forwardAll(0); }

    void oneForwardOneBackward()
    {
        const std::uint32_t first = std::min(m_sizes.microBatches, m_sizes.stages - m_rank);
        for (std::uint32_t i = 0; i < first; ++i)
            add(0, ActionKind::forward);
        for (std::uint32_t i = first; i < m_sizes.microBatches; ++i) {
            add(0, ActionKind::backward);
            add(0, ActionKind::forward);
        }
        for (std::uint32_t i = 0; i < first; ++i)
            add(0, ActionKind::backward);
    }

    void loopedBfs()
    {
        for (std::uint32_t stage = 0; stage < m_counts.size(); ++stage)
            forwardAll(stage);
        for (auto stage = static_cast<std::uint32_t>(m_counts.size()); stage-- > 0;)
            for (std::uint32_t batch = m_sizes.microBatches; batch-- > 0;)
                m_out.push_back({.stage = stageAt(stage), .microBatch = batch, .kind = ActionKind::backward});
    }

    /// One forward, then one backward; the stages take turns after each round of micro-batches. With `splitsBackward`, gradients of
    /// weights follow as many backward steps later as the number of the rank.
    void interleaved(std::uint32_t round, bool splitsBackward)
    {
        const auto stages = static_cast<std::uint32_t>(m_counts.size());
        const std::uint32_t all = stages * m_sizes.microBatches;
        const std::uint32_t hops = m_sizes.ranks - 1 - m_rank;
        const std::uint32_t warmup = std::min((stages - 1) * round + (splitsBackward ? 1 : 2) * hops, all);
        const auto backwardStage = [&](std::uint32_t step) { return stages - 1 - (step / round) % stages; };
        std::uint32_t weights = 0;
        for (std::uint32_t step = 0; step < all + warmup; ++step) {
            if (step < all)
                add((step / round) % stages, ActionKind::forward);
            if (step < warmup)
                continue;
            add(backwardStage(step - warmup), splitsBackward ? ActionKind::inputGradient : ActionKind::backward);
            if (splitsBackward && step - warmup >= m_rank)
                add(backwardStage(weights++), ActionKind::weightGradient);
        }
        while (splitsBackward && weights < all)
            add(backwardStage(weights++), ActionKind::weightGradient);
    }

    /// The order is that of at least 2 · ranks − 1 micro-batches; those beyond the given number are left out.
    void zbv()
    {
        const std::uint32_t batches = std::max(2 * m_sizes.ranks - 1, m_sizes.microBatches);
        const std::uint32_t hops = m_sizes.ranks - m_rank;
        const auto forward = [this](std::uint32_t stage) { add(stage, ActionKind::forward); };
        const auto input = [this](std::uint32_t stage) { add(stage, ActionKind::inputGradient); };
        const auto weight = [this](std::uint32_t stage) { add(stage, ActionKind::weightGradient); };
        const auto wholeBackward = [&](std::uint32_t stage) {
            input(stage);
            weight(stage);
        };
        for (std::uint32_t i = 0; i < 2 * hops - 1; ++i)
            forward(0);
        for (std::uint32_t i = 0; i < m_rank; ++i) {
            forward(1);
            forward(0);
        }
        for (std::uint32_t i = 0; i < hops; ++i) {
            forward(1);
            wholeBackward(1);
        }
        while (m_counts[1].forward < m_counts[0].forward || m_counts[0].forward < batches) {
            if (m_counts[0].forward < batches)
                forward(0);
            wholeBackward(0);
            forward(1);
            wholeBackward(1);
        }
        for (std::uint32_t i = 0; i < m_rank; ++i) {
            input(0);
            input(1);
        }
        for (std::uint32_t i = 0; i < hops; ++i)
            wholeBackward(0);
        for (const std::uint32_t stage : {1U, 0U})
            while (m_counts[stage].weight < m_counts[stage].input)
                weight(stage);
    }

    void dualPipeV()
    {
        const std::uint32_t hops = m_sizes.ranks - m_rank - 1;
        for (std::uint32_t i = 0; i < 2 * hops; ++i)
            add(0, ActionKind::forward);
        for (std::uint32_t i = 0; i <= m_rank; ++i) {
            add(0, ActionKind::forward);
            add(1, ActionKind::forward);
        }
        for (std::uint32_t i = 0; i < hops; ++i) {
            addInputGradient(1);
            addWaitingWeight();
            add(1, ActionKind::forward);
        }
        for (std::uint32_t i = 0; i < m_sizes.microBatches - 2 * m_sizes.ranks + m_rank + 1; ++i) {
            addPair(0, 1, i > 0 || hops > 0); // the last rank starts without overlap
            addPair(1, 0, true);
        }
        for (std::uint32_t i = 0; i < hops; ++i) {
            add(1, ActionKind::backward);
            addPair(1, 0, true);
        }
        drain(hops);
    }

private:
    struct Counts {
        std::uint32_t forward = 0;
        std::uint32_t input = 0; ///< and full backward passes
        std::uint32_t weight = 0;
    };

    /// Returns the stage of the model.
    [[nodiscard]] std::uint32_t stageAt(std::uint32_t stage) const
    {
        return m_isFolded && stage == 1 ? m_sizes.stages - 1 - m_rank : stage * m_sizes.ranks + m_rank;
    }

    void forwardAll(std::uint32_t stage)
    {
        for (std::uint32_t i = 0; i < m_sizes.microBatches; ++i)
            add(stage, ActionKind::forward);
    }

    void add(std::uint32_t stage, ActionKind kind, bool overlapsNext = false)
    {
        Counts& counts = m_counts[stage];
        std::uint32_t& count = kind == ActionKind::forward ? counts.forward
            : kind == ActionKind::weightGradient           ? counts.weight
                                                           : counts.input;
        if (count < m_sizes.microBatches)
            m_out.push_back({stageAt(stage), count, kind, overlapsNext});
        ++count;
        if (kind == ActionKind::backward)
            ++counts.weight;
    }

    void addInputGradient(std::uint32_t stage)
    {
        m_waiting.push_back({stageAt(stage), m_counts[stage].input, ActionKind::weightGradient});
        add(stage, ActionKind::inputGradient);
    }

    void addWaitingWeight()
    {
        if (m_waiting.empty())
            return;
        m_out.push_back(m_waiting.front());
        m_waiting.pop_front();
    }

    void addPair(std::uint32_t forward, std::uint32_t backward, bool overlap)
    {
        add(forward, ActionKind::forward, overlap);
        add(backward, ActionKind::backward);
    }

    /// The last backward passes of DualPipeV. From their middle on, gradients of weights come last.
    void drain(std::uint32_t hops)
    {
        bool splits = false;
        const auto backward = [&](std::uint32_t stage) { splits ? addInputGradient(stage) : add(stage, ActionKind::backward); };
        const std::uint32_t middle = (m_rank + 1) / 2;
        for (std::uint32_t i = 0; i <= m_rank; ++i) {
            splits = splits || (i == middle && m_rank % 2 == 1);
            backward(1);
            splits = splits || i == middle;
            backward(0);
        }
        for (std::uint32_t i = 0; i < hops; ++i) {
            addWaitingWeight();
            backward(0);
        }
        for (std::uint32_t i = 0; i <= m_rank; ++i)
            addWaitingWeight();
    }

    const PipelineSizes& m_sizes;
    std::uint32_t m_rank;
    bool m_isFolded;
    std::vector<Counts> m_counts; ///< per stage of the rank
    std::deque<PipelineAction> m_waiting; ///< gradients of weights
    std::vector<PipelineAction>& m_out;
};

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

void writeRank(PipelineSchedule schedule, std::uint32_t round, RankWriter& writer)
{
    switch (schedule) {
    case PipelineSchedule::gpipe: return writer.gpipe();
    case PipelineSchedule::oneForwardOneBackward: return writer.oneForwardOneBackward();
    case PipelineSchedule::loopedBfs: return writer.loopedBfs();
    case PipelineSchedule::interleaved1F1B: return writer.interleaved(round, false);
    case PipelineSchedule::interleavedZeroBubble: return writer.interleaved(round, true);
    case PipelineSchedule::zbvZeroBubble: return writer.zbv();
    case PipelineSchedule::dualPipeV: return writer.dualPipeV();
    case PipelineSchedule::inference: return writer.forwardOnly();
    }
}

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
    const bool isOneEach = hasOneStagePerRank(schedule) || (!isV(schedule) && stages % 2 != 0);
    const std::uint32_t used = ranks.value_or(isOneEach ? stages : std::max(1U, stages / 2));
    if (hasOneStagePerRank(schedule) && used != stages)
        return fail(ErrorCode::refused,
                    of + " runs one stage per rank: " + formatCount(stages, "stage") + " for " + formatCount(used, "rank"));
    if (isV(schedule) && 2 * std::uint64_t{used} != stages)
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
        order.rankOf[stage] = isV(schedule) && stage >= sizes.ranks ? sizes.stages - 1 - stage : stage % sizes.ranks;
    order.ranks.resize(sizes.ranks);
    for (std::uint32_t rank = 0; rank < sizes.ranks; ++rank) {
        RankWriter writer(order.sizes, rank, isV(schedule), order.ranks[rank]);
        writeRank(schedule, round, writer);
    }
    if (!OrderCheck(order).isComplete())
        return fail(ErrorCode::refused,
                    std::string(name(schedule)) + " cannot run " + sizesText(sizes) + ": a rank waits forever");
    return order;
}

} // namespace sunder
