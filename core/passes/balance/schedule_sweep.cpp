#include "passes/balance/schedule_sweep.h"

#include "support/format.h"

#include <algorithm>
#include <map>

namespace sunder {
namespace {

constexpr std::size_t kMaxCombinations = 10'000;

/// Computes the rows of a sweep.
class SweepRun {
public:
    SweepRun(const Program& program, const SweepOptions& options, ProgressMonitor& monitor)
        : m_program(program), m_options(options), m_monitor(monitor)
    {
    }

    Result<Sweep> run()
    {
        std::vector<std::uint32_t> counts = m_options.stages;
        if (m_options.tags) {
            SUNDER_TRY(PipelineModel model, pipelineModel(m_program, *m_options.tags, m_options.model, m_monitor));
            counts = {static_cast<std::uint32_t>(model.stages.size())};
            m_out.cuts.push_back({*m_options.tags, std::move(model)});
        }
        const std::size_t all = counts.size() * m_options.schedules.size() * m_options.microBatches.size();
        if (all > kMaxCombinations)
            return fail(ErrorCode::refused,
                        formatCount(all) + " combinations are too many; the limit is " + formatCount(kMaxCombinations));
        for (const std::uint32_t stages : counts)
            for (const PipelineSchedule schedule : m_options.schedules)
                if (const std::optional<std::uint32_t> ranks = ranksFor(schedule, stages))
                    for (const std::uint32_t microBatches : m_options.microBatches) {
                        SUNDER_PROPAGATE(m_monitor.check());
                        m_monitor.report(static_cast<double>(m_out.rows.size()) / static_cast<double>(all), "timetables");
                        SUNDER_PROPAGATE(addRow(schedule, {*ranks, stages, microBatches}));
                    }
        findBest();
        return std::move(m_out);
    }

private:
    /// Returns the number of ranks; nothing if these stages do not fit the schedule or the devices.
    [[nodiscard]] std::optional<std::uint32_t> ranksFor(PipelineSchedule schedule, std::uint32_t stages) const
    {
        const auto devices = static_cast<std::uint32_t>(m_options.model.devices.size());
        if (hasOneStagePerRank(schedule))
            return devices == 0 || stages <= devices ? std::optional(stages) : std::nullopt;
        if (stages % 2 != 0)
            return std::nullopt;
        if (devices == 0 || stages / 2 <= devices)
            return stages > 2 ? std::optional(stages / 2) : std::nullopt;
        const bool isMultiple = stages % devices == 0 && pipelineSizes(schedule, stages, 1, devices).has_value();
        return isMultiple ? std::optional(devices) : std::nullopt;
    }

    Result<void> addRow(PipelineSchedule schedule, const PipelineSizes& sizes)
    {
        SweepRow row{.schedule = schedule, .sizes = sizes};
        Result<PipelineOrder> order = pipelineOrder(schedule, sizes);
        if (!order) {
            row.refusal = order.error().message;
            m_out.rows.push_back(std::move(row));
            return {};
        }
        const Result<std::size_t> cut = cutFor(*order);
        if (!cut) {
            if (cut.error().code != ErrorCode::refused)
                return forward(cut);
            row.refusal = cut.error().message;
            m_out.rows.push_back(std::move(row));
            return {};
        }
        row.cut = *cut;
        const PipelineModel& model = m_out.cuts[*cut].model;
        SUNDER_TRY(const PipelineCosts costs, placedCosts(model, *order));
        measure(*order, costs, model, row);
        m_out.rows.push_back(std::move(row));
        return {};
    }

    static void measure(const PipelineOrder& order, const PipelineCosts& costs, const PipelineModel& model, SweepRow& row)
    {
        const Timetable times = timetable(order, costs);
        row.step = times.step;
        row.bubble = times.bubble;
        row.throughput = order.schedule == PipelineSchedule::inference ? inferenceFigures(order, costs).throughput()
            : times.step > 0                                           ? order.sizes.microBatches / times.step
                                                                       : 0;
        double busiest = -1;
        double fullest = -1;
        bool isFull = false;
        for (std::uint32_t rank = 0; rank < times.ranks.size(); ++rank) {
            const RankTimes& of = times.ranks[rank];
            const std::optional<double> available = model.availableOf(rank);
            const double bytes = static_cast<double>(of.peakBytes);
            row.fits = row.fits && (!available || bytes <= *available);
            isFull = isFull || of.binding(available) == RankBinding::memory;
            if (of.busy > busiest)
                row.binds = of.binding();
            busiest = std::max(busiest, of.busy);
            const double share = available && *available > 0 ? bytes / *available : bytes;
            if (share > fullest)
                row.peakBytes = of.peakBytes;
            fullest = std::max(fullest, share);
        }
        if (isFull)
            row.binds = RankBinding::memory;
    }

    /// Returns the cut for the stages of an order. Equal devices share it.
    Result<std::size_t> cutFor(const PipelineOrder& order)
    {
        if (m_options.tags)
            return std::size_t{0};
        std::vector<std::uint32_t> devices; // per stage: the first equal one
        for (const std::uint32_t rank : order.rankOf)
            devices.push_back(m_options.model.devices.empty() ? 0 : firstEqual(rank));
        const std::uint32_t perRank = m_options.model.devices.empty() ? 1 : order.sizes.stages / order.sizes.ranks;
        const std::pair key{perRank, devices};
        if (const auto known = m_cutOf.find(key); known != m_cutOf.end())
            return known->second;
        Result<std::size_t> made = balanced(order);
        m_cutOf.emplace(key, made);
        return made;
    }

    [[nodiscard]] std::uint32_t firstEqual(std::uint32_t rank) const
    {
        const std::vector<Device>& devices = m_options.model.devices;
        for (std::uint32_t other = 0; other < rank; ++other) {
            Device same = devices[rank];
            same.name = devices[other].name;
            same.color = devices[other].color;
            same.logicalId = devices[other].logicalId;
            if (same == devices[other])
                return other;
        }
        return rank;
    }

    Result<std::size_t> balanced(const PipelineOrder& order)
    {
        BalanceOptions options{
            .stages = order.sizes.stages, .measured = m_options.model.measured, .timeLimit = m_options.timeLimit};
        for (const std::uint32_t rank : order.rankOf)
            if (!m_options.model.devices.empty()) {
                options.devices.push_back(m_options.model.devices[rank]);
                options.devices.back().availableBytes /= static_cast<double>(order.sizes.stages) / order.sizes.ranks;
            }
        SUNDER_TRY(BalancePlan plan, balanceProgram(m_program, options, m_monitor));
        SUNDER_TRY(PipelineModel model, pipelineModel(m_program, plan.tags, m_options.model, m_monitor));
        m_out.cuts.push_back({std::move(plan.tags), std::move(model)});
        return m_out.cuts.size() - 1;
    }

    void findBest()
    {
        for (std::size_t at = 0; at < m_out.rows.size(); ++at) {
            const SweepRow& row = m_out.rows[at];
            if (!row.refusal.empty() || !row.fits)
                continue;
            const SweepRow* const best = m_out.best ? &m_out.rows[*m_out.best] : nullptr;
            if (best == nullptr || row.throughput > best->throughput * (1 + 1e-9)
                || (row.throughput >= best->throughput * (1 - 1e-9) && row.peakBytes < best->peakBytes))
                m_out.best = at;
        }
    }

    const Program& m_program;
    const SweepOptions& m_options;
    ProgressMonitor& m_monitor;
    std::map<std::pair<std::uint32_t, std::vector<std::uint32_t>>, Result<std::size_t>> m_cutOf;
    Sweep m_out;
};

} // namespace

Result<Sweep> scheduleSweep(const Program& program, const SweepOptions& options, ProgressMonitor& monitor)
{
    return SweepRun(program, options, monitor).run();
}

} // namespace sunder
