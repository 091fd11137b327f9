#include "analysis/schedule/rank_actions.h"

#include <algorithm>
#include <deque>

namespace sunder {
namespace {

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

} // namespace

bool goesBack(PipelineSchedule schedule)
{
    return schedule == PipelineSchedule::zbvZeroBubble || schedule == PipelineSchedule::dualPipeV;
}

std::vector<PipelineAction> rankActions(PipelineSchedule schedule, const PipelineSizes& sizes, std::uint32_t rank,
                                        std::uint32_t round)
{
    std::vector<PipelineAction> actions;
    RankWriter writer(sizes, rank, goesBack(schedule), actions);
    switch (schedule) {
    case PipelineSchedule::gpipe: writer.gpipe(); break;
    case PipelineSchedule::oneForwardOneBackward: writer.oneForwardOneBackward(); break;
    case PipelineSchedule::loopedBfs: writer.loopedBfs(); break;
    case PipelineSchedule::interleaved1F1B: writer.interleaved(round, false); break;
    case PipelineSchedule::interleavedZeroBubble: writer.interleaved(round, true); break;
    case PipelineSchedule::zbvZeroBubble: writer.zbv(); break;
    case PipelineSchedule::dualPipeV: writer.dualPipeV(); break;
    case PipelineSchedule::inference: writer.forwardOnly(); break;
    }
    return actions;
}

} // namespace sunder
