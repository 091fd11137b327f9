#include "analysis/schedule/timetable.h"

#include <algorithm>
#include <cassert>
#include <queue>
#include <tuple>

namespace sunder {
namespace {

/// Runs the events of a step in order of time; events at the same time in order of creation.
class StepSimulation {
public:
    StepSimulation(const PipelineOrder& order, const PipelineCosts& costs)
        : m_order(order), m_costs(costs), m_ranks(order.ranks.size()), m_outgoing(order.sizes.stages),
          m_incoming(order.sizes.stages)
    {
        m_out.actions.resize(order.ranks.size());
        m_out.ranks.resize(order.ranks.size());
        m_out.memory.resize(order.ranks.size());
        for (std::uint32_t rank = 0; rank < m_ranks.size(); ++rank) {
            m_out.actions[rank].reserve(order.ranks[rank].size());
            m_ranks[rank].bytes = rank < costs.held.size() ? costs.held[rank] : 0;
            m_out.memory[rank].push_back({0, m_ranks[rank].bytes});
            m_out.ranks[rank].peakBytes = m_ranks[rank].bytes;
        }
        std::vector<std::uint32_t> forward(order.sizes.stages, 0);
        std::vector<std::uint32_t> backward(order.sizes.stages, 0);
        for (std::uint32_t at = 0; at < costs.transfers.size(); ++at) {
            const PipelineCosts::Transfer& transfer = costs.transfers[at];
            m_outgoing[transfer.from].push_back(at);
            m_incoming[transfer.to].push_back(at);
            ++forward[transfer.to];
            backward[transfer.from] += transfer.hasGradient ? 1U : 0U;
        }
        for (const auto* counts : {&forward, &backward})
            for (const std::uint32_t count : *counts)
                m_inputs.insert(m_inputs.end(), order.sizes.microBatches, {count, 0});
    }

    Timetable run()
    {
        for (std::uint32_t rank = 0; rank < m_ranks.size(); ++rank)
            startNext(rank, 0);
        while (!m_events.empty()) {
            const Event event = m_events.top();
            m_events.pop();
            event.isArrival ? arrive(event) : finish(event);
        }
        conclude();
        return std::move(m_out);
    }

private:
    /// The inputs of a forward or backward action.
    struct Inputs {
        std::uint32_t missing = 0;
        double lastProduced = 0; ///< end of the action that produced the input that arrived last
    };
    struct Event {
        double time = 0;
        std::uint64_t number = 0; ///< in order of creation
        std::uint32_t index = 0; ///< of the rank whose action ends, or of the action in m_inputs whose input arrives
        bool isArrival = false;
        double produced = 0;
    };
    struct Later {
        bool operator()(const Event& a, const Event& b) const { return std::tie(a.time, a.number) > std::tie(b.time, b.number); }
    };
    struct RankState {
        std::size_t next = 0;
        bool isBusy = false;
        double idleSince = 0;
        double sendsUntil = 0;
        double receivesUntil = 0;
        std::uint64_t bytes = 0;
        std::uint64_t inFlight = 0;
    };

    [[nodiscard]] std::uint32_t inputsOf(std::uint32_t stage, std::uint32_t batch, bool isBackward) const
    {
        return ((isBackward ? m_order.sizes.stages : 0) + stage) * m_order.sizes.microBatches + batch;
    }

    [[nodiscard]] double secondsOf(const PipelineAction& action) const
    {
        const PipelineCosts::Stage& stage = m_costs.stages[action.stage];
        switch (action.kind) {
        case ActionKind::forward: return stage.forward;
        case ActionKind::backward: return stage.backward;
        case ActionKind::inputGradient:
        case ActionKind::weightGradient: break;
        }
        return stage.backward / 2;
    }

    void push(double time, std::uint32_t index, bool isArrival, double produced)
    {
        m_events.push({time, m_created++, index, isArrival, produced});
    }

    void startNext(std::uint32_t rank, double now)
    {
        RankState& state = m_ranks[rank];
        if (state.isBusy || state.next == m_order.ranks[rank].size())
            return;
        const PipelineAction& action = m_order.ranks[rank][state.next];
        if (action.kind != ActionKind::weightGradient) {
            const Inputs& inputs = m_inputs[inputsOf(action.stage, action.microBatch, action.kind != ActionKind::forward)];
            if (inputs.missing > 0)
                return;
            m_out.ranks[rank].waitsForTransfer += std::max(0.0, now - std::max(state.idleSince, inputs.lastProduced));
        }
        const double end = now + secondsOf(action);
        m_out.actions[rank].push_back({action, now, end});
        m_out.ranks[rank].busy += end - now;
        state.isBusy = true;
        ++state.next;
        if (action.kind == ActionKind::forward) {
            state.bytes += m_costs.stages[action.stage].kept;
            m_out.ranks[rank].inFlight = std::max(m_out.ranks[rank].inFlight, ++state.inFlight);
        }
        note(rank, now, state.bytes + m_costs.stages[action.stage].working);
        push(end, rank, false, 0);
    }

    void note(std::uint32_t rank, double now, std::uint64_t bytes)
    {
        std::vector<MemoryAt>& curve = m_out.memory[rank];
        if (curve.back().time == now)
            curve.back().bytes = bytes;
        else if (curve.back().bytes != bytes)
            curve.push_back({now, bytes});
        m_out.ranks[rank].peakBytes = std::max(m_out.ranks[rank].peakBytes, bytes);
    }

    void finish(const Event& event)
    {
        RankState& state = m_ranks[event.index];
        const PipelineAction action = m_out.actions[event.index].back().action;
        state.isBusy = false;
        state.idleSince = event.time;
        if (action.kind == ActionKind::backward || action.kind == ActionKind::weightGradient
            || m_order.schedule == PipelineSchedule::inference) {
            state.bytes -= m_costs.stages[action.stage].kept;
            --state.inFlight;
        }
        note(event.index, event.time, state.bytes);
        if (action.kind == ActionKind::forward)
            for (const std::uint32_t at : m_outgoing[action.stage])
                send(action, m_costs.transfers[at].to, m_costs.transfers[at].forward, event.time);
        else if (action.kind != ActionKind::weightGradient)
            for (const std::uint32_t at : m_incoming[action.stage])
                if (m_costs.transfers[at].hasGradient)
                    send(action, m_costs.transfers[at].from, m_costs.transfers[at].backward, event.time);
        startNext(event.index, event.time);
    }

    void send(const PipelineAction& action, std::uint32_t to, double seconds, double now)
    {
        const std::uint32_t index = inputsOf(to, action.microBatch, to < action.stage);
        const std::uint32_t sender = m_order.rankOf[action.stage];
        const std::uint32_t receiver = m_order.rankOf[to];
        if (sender == receiver) {
            --m_inputs[index].missing;
            m_inputs[index].lastProduced = now;
            return;
        }
        const double start = seconds > 0 ? std::max({now, m_ranks[sender].sendsUntil, m_ranks[receiver].receivesUntil}) : now;
        const double end = start + seconds;
        if (seconds > 0)
            m_ranks[sender].sendsUntil = m_ranks[receiver].receivesUntil = end;
        m_out.ranks[sender].sends += seconds;
        m_out.ranks[receiver].receives += seconds;
        m_out.transfers.push_back({action.stage, to, action.microBatch, start, end});
        push(end, index, true, now);
    }

    void arrive(const Event& event)
    {
        Inputs& inputs = m_inputs[event.index];
        --inputs.missing;
        inputs.lastProduced = event.produced;
        startNext(m_order.rankOf[event.index / m_order.sizes.microBatches % m_order.sizes.stages], event.time);
    }

    void conclude()
    {
        double busy = 0;
        for (std::uint32_t rank = 0; rank < m_ranks.size(); ++rank) {
            assert(m_ranks[rank].next == m_order.ranks[rank].size());
            if (!m_out.actions[rank].empty())
                m_out.step = std::max(m_out.step, m_out.actions[rank].back().end);
            busy += m_out.ranks[rank].busy;
        }
        for (RankTimes& rank : m_out.ranks)
            rank.bubble = std::max(0.0, m_out.step - rank.busy - rank.waitsForTransfer);
        m_out.bubble = m_out.step > 0 ? 1 - busy / (static_cast<double>(m_ranks.size()) * m_out.step) : 0;
        std::ranges::stable_sort(m_out.transfers, {}, &TimedTransfer::start);
    }

    const PipelineOrder& m_order;
    const PipelineCosts& m_costs;
    std::vector<RankState> m_ranks;
    std::vector<std::vector<std::uint32_t>> m_outgoing; ///< per stage: indices of transfers
    std::vector<std::vector<std::uint32_t>> m_incoming;
    std::vector<Inputs> m_inputs; ///< of forward actions by stage and micro-batch, then of backward actions
    std::priority_queue<Event, std::vector<Event>, Later> m_events;
    std::uint64_t m_created = 0;
    Timetable m_out;
};

} // namespace

PipelineCosts unitCosts(const PipelineOrder& order)
{
    const double forward = static_cast<double>(order.sizes.ranks) / order.sizes.stages;
    PipelineCosts costs;
    costs.stages.assign(order.sizes.stages, {.forward = forward, .backward = 2 * forward});
    for (std::uint32_t stage = 1; stage < order.sizes.stages; ++stage)
        costs.transfers.push_back({.from = stage - 1, .to = stage});
    return costs;
}

std::string_view name(RankBinding binding)
{
    switch (binding) {
    case RankBinding::compute: return "compute";
    case RankBinding::transfer: return "transfer";
    case RankBinding::bubble: return "bubble";
    case RankBinding::memory: break;
    }
    return "memory";
}

RankBinding RankTimes::binding(std::optional<double> available) const
{
    constexpr double kFull = 0.95;
    if (available && static_cast<double>(peakBytes) >= kFull * *available)
        return RankBinding::memory;
    if (busy >= std::max(waitsForTransfer, bubble))
        return RankBinding::compute;
    return waitsForTransfer >= bubble ? RankBinding::transfer : RankBinding::bubble;
}

Timetable timetable(const PipelineOrder& order, const PipelineCosts& costs)
{
    return StepSimulation(order, costs).run();
}

InferenceFigures inferenceFigures(const PipelineOrder& order, const PipelineCosts& costs)
{
    struct Lanes {
        double compute = 0;
        double sends = 0;
        double receives = 0;
    };
    std::vector<Lanes> lanes(order.ranks.size());
    for (std::uint32_t stage = 0; stage < order.sizes.stages; ++stage)
        lanes[order.rankOf[stage]].compute += costs.stages[stage].forward;
    for (const PipelineCosts::Transfer& transfer : costs.transfers)
        if (order.rankOf[transfer.from] != order.rankOf[transfer.to]) {
            lanes[order.rankOf[transfer.from]].sends += transfer.forward;
            lanes[order.rankOf[transfer.to]].receives += transfer.forward;
        }
    InferenceFigures figures;
    for (std::uint32_t rank = 0; rank < lanes.size(); ++rank) {
        const double transfers = std::max(lanes[rank].sends, lanes[rank].receives);
        const double most = std::max(lanes[rank].compute, transfers);
        if (most > figures.interval)
            figures = {.interval = most, .slowest = rank, .isTransfer = transfers > lanes[rank].compute};
    }
    PipelineOrder one = order;
    one.sizes.microBatches = 1;
    for (std::uint32_t rank = 0; rank < one.ranks.size(); ++rank)
        std::erase_if(one.ranks[rank], [](const PipelineAction& action) { return action.microBatch > 0; });
    figures.latency = timetable(one, costs).step;
    return figures;
}

} // namespace sunder
