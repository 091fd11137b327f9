#include "analysis/schedule/pipeline_model.h"

#include "analysis/cut/backward_memory.h"
#include "analysis/cut/cut_metrics.h"
#include "analysis/cut/part_memory.h"
#include "analysis/device_links.h"
#include "analysis/device_presets.h"
#include "analysis/training/backward_tags.h"
#include "support/format.h"
#include "support/sort_unique.h"

#include <algorithm>
#include <cmath>
#include <set>
#include <utility>

namespace sunder {
namespace {

/// Builds the model of a cut.
class PipelineModelBuilder {
public:
    PipelineModelBuilder(const Program& program, TagAssignment tags, const PipelineModelOptions& options)
        : m_program(program), m_graph(program.rootGraph()), m_options(options), m_training(trainingGraph(program)),
          m_tags(m_training.isTraining() ? withBackwardFollowing(m_graph, m_training, tags) : std::move(tags))
    {
    }

    Result<PipelineModel> run(ProgressMonitor& monitor)
    {
        SUNDER_TRY(const CutGraph cut, cutGraph(m_program, monitor));
        const CutMetrics metrics = cutMetrics(cut, m_tags);
        numberStages();
        SUNDER_PROPAGATE(checkCut(metrics));
        SUNDER_PROPAGATE(chooseDevices());
        SUNDER_PROPAGATE(addSeconds(monitor));
        addMemory(cut, metrics);
        addEdges(cut, metrics);
        addTrainingAssumptions();
        return std::move(m_out);
    }

private:
    /// A backward part belongs to the stage of its forward part.
    void numberStages()
    {
        m_forwardOf = forwardTags(m_tags.order);
        m_stageOf.assign(m_tags.order.size(), 0);
        if (!m_training.isTraining())
            std::ranges::fill(m_forwardOf, -1);
        for (std::size_t part = 0; part < m_stageOf.size(); ++part)
            if (m_forwardOf[part] < 0) {
                m_stageOf[part] = static_cast<std::uint32_t>(m_out.stages.size());
                m_out.stages.push_back({.name = m_tags.order[part].str()});
            }
        for (std::size_t part = 0; part < m_stageOf.size(); ++part)
            if (m_forwardOf[part] >= 0)
                m_stageOf[part] = m_stageOf[static_cast<std::size_t>(m_forwardOf[part])];
        m_out.hasMeasuredBackward = m_training.isTraining();
    }

    [[nodiscard]] bool isBackward(std::size_t part) const { return m_forwardOf[part] >= 0; }

    [[nodiscard]] Result<void> checkCut(const CutMetrics& metrics) const
    {
        if (m_out.stages.empty())
            return fail(ErrorCode::refused, "the model has no tags");
        for (const NodeId id : m_graph.nodes())
            if (m_graph[id].isCall() && m_tags[id] < 0)
                return fail(ErrorCode::refused,
                            formatCount(metrics.untaggedCalls, "op") + " without a tag, the first is '" + m_graph[id].name.str()
                                + "'; tag all ops",
                            {.node = m_graph[id].name.str()});
        for (const CutEdge& edge : metrics.cutEdges)
            if (edge.isBackward())
                return fail(ErrorCode::refused,
                            "'" + m_graph[edge.values.front().node].name.str() + "' goes from "
                                + m_tags.order[static_cast<std::size_t>(edge.from)].str() + " to the earlier "
                                + m_tags.order[static_cast<std::size_t>(edge.to)].str() + "; the cut is not legal",
                            {.node = m_graph[edge.values.front().node].name.str()});
        return {};
    }

    Result<void> chooseDevices()
    {
        m_out.hasDevices = !m_options.devices.empty();
        m_out.devices = m_options.devices;
        if (m_out.hasDevices)
            return {};
        SUNDER_TRY(m_out.devices, assumedDevices(1, m_options.measured.hasSeconds(), m_out.assumptions));
        return {};
    }

    Result<void> addSeconds(ProgressMonitor& monitor)
    {
        SUNDER_TRY(const ProgramCosts costs, programCosts(m_program, monitor));
        SUNDER_TRY(KindSeconds seconds,
                   kindSeconds(m_program, costs, m_out.devices, m_out.hasDevices || !m_options.measured.hasSeconds(),
                               m_options.measured, m_out.assumptions));
        m_out.kindOf = std::move(seconds.kindOf);
        for (const ProgramSeconds& kind : seconds.kinds)
            addKind(kind);
        return {};
    }

    void addKind(const ProgramSeconds& seconds)
    {
        for (PipelineModel::Stage& stage : m_out.stages) {
            stage.forward.push_back(0);
            stage.backward.push_back(0);
        }
        m_transferSeconds.assign(m_graph.idBound(), -1);
        for (const NodeId id : m_graph.nodes()) {
            if (!m_graph[id].isCall())
                continue;
            const NodeSeconds& node = seconds.nodes[id.index()];
            const auto part = static_cast<std::size_t>(m_tags[id]);
            PipelineModel::Stage& stage = m_out.stages[m_stageOf[part]];
            (isBackward(part) ? stage.backward : stage.forward).back() += node.seconds.value_or(0);
            m_transferSeconds[id.index()] = node.transferSeconds.value_or(-1);
        }
        for (PipelineModel::Stage& stage : m_out.stages)
            if (!m_out.hasMeasuredBackward)
                stage.backward.back() = 2 * stage.forward.back();
    }

    void addMemory(const CutGraph& cut, const CutMetrics& metrics)
    {
        std::optional<TrainingOptions> training;
        if (!m_out.hasMeasuredBackward)
            training.emplace(TrainingOptions{.statesPerParameter = m_options.statesPerParameter});
        const MemoryReport report = memoryReport(m_program, m_tags, m_options.measured, training);
        // Of a joint program: values for the stage's own backward pass.
        for (const CutEdge& edge : metrics.cutEdges)
            if (m_stageOf[static_cast<std::size_t>(edge.from)] == m_stageOf[static_cast<std::size_t>(edge.to)])
                m_out.stages[m_stageOf[static_cast<std::size_t>(edge.from)]].kept += edge.bytes;
        for (std::size_t part = 0; part < report.parts.size(); ++part) {
            const PartMemory& memory = report.parts[part];
            PipelineModel::Stage& stage = m_out.stages[m_stageOf[part]];
            stage.ops += memory.metrics.sizes.ops;
            stage.weights += memory.metrics.sizes.parameterBytes + memory.extra;
            std::uint64_t working = memory.peak() - memory.metrics.sizes.parameterBytes - memory.extra;
            working -= isBackward(part) ? std::min(working, stage.kept) : 0;
            stage.working = std::max(stage.working, working);
            if (memory.training) {
                stage.gradients += memory.training->gradients;
                stage.kept += memory.training->kept;
            }
            for (const Port& output : metrics.parts[part].interface.outputs)
                if (isBackward(part) && output.toProgram)
                    stage.gradients += output.bytes;
        }
        for (PipelineModel::Stage& stage : m_out.stages)
            stage.optimizer = stage.gradients * m_options.statesPerParameter;
        addSharedWeights(cut);
        m_assumed = report.assumed;
    }

    /// A weight that the forward and the backward part of a stage read was counted twice.
    void addSharedWeights(const CutGraph& cut)
    {
        std::vector<std::uint32_t> holders;
        for (std::uint32_t memory = 0; memory < cut.memoryBytes.size(); ++memory) {
            std::vector<std::int32_t> parts;
            for (const std::uint32_t call : cut.memoryReaders[memory])
                parts.push_back(m_tags[cut.nodes[call]]);
            sortUnique(parts);
            holders.clear();
            for (const std::int32_t part : parts)
                holders.push_back(m_stageOf[static_cast<std::size_t>(part)]);
            std::ranges::sort(holders);
            for (std::size_t i = 1; i < holders.size(); ++i)
                if (holders[i] == holders[i - 1])
                    m_out.stages[holders[i]].weights -= cut.memoryBytes[memory];
            sortUnique(holders);
            if (holders.size() > 1 && cut.memoryBytes[memory] > 0)
                m_out.sharedWeights.push_back({cut.memoryBytes[memory], holders});
        }
    }

    /// Values of a joint program from a forward part to the backward part of another stage travel with the values between these
    /// stages.
    void addEdges(const CutGraph& cut, const CutMetrics& metrics)
    {
        std::optional<BackwardMemory> backward;
        if (!m_out.hasMeasuredBackward)
            backward.emplace(m_program, cut);
        std::set<std::pair<std::size_t, std::uint32_t>> sent; // the forward and the backward part of a stage may read one value
        for (const CutEdge& edge : metrics.cutEdges) {
            const std::uint32_t from = m_stageOf[static_cast<std::size_t>(edge.from)];
            const std::uint32_t to = m_stageOf[static_cast<std::size_t>(edge.to)];
            if (from == to)
                continue;
            PipelineModel::Edge& kept = edgeBetween(std::min(from, to), std::max(from, to));
            for (const CutEdgeValue& value : edge.values) {
                if (cut.hasNoTensor[cut.valueOf[value.node.index()]] != 0 || !sent.insert({value.node.index(), to}).second)
                    continue;
                const double seconds = m_transferSeconds[value.node.index()];
                const auto add = [&](PipelineModel::Load& load) {
                    load.bytes += seconds < 0 ? static_cast<double>(value.bytes) : 0;
                    load.values += seconds < 0 ? 1U : 0U;
                    load.measured += std::max(0.0, seconds);
                };
                add(from < to ? kept.forward : kept.backward);
                if (backward && backward->needsGradient(value.node)) {
                    add(kept.backward);
                    kept.hasGradient = true;
                }
            }
            kept.hasGradient = kept.hasGradient || from > to;
        }
        const DeviceLinks links(m_out.devices);
        const bool hasLinks = m_out.devices.size() > 1 ? links.between(0, 1).has_value()
                                                       : m_out.devices.front().bandwidthBytesPerSecond.has_value();
        if (!m_out.edges.empty())
            m_out.assumptions.emplace_back(hasLinks ? "transfers follow from bytes and links"
                                                    : "transfers over links without a bandwidth take no time");
    }

    void addTrainingAssumptions()
    {
        m_out.trainingAssumptions.emplace_back(m_out.hasMeasuredBackward
                                                   ? "backward passes take the seconds of their ops"
                                                   : "a backward pass takes twice the seconds of the forward pass");
        if (!m_out.hasMeasuredBackward)
            m_out.trainingAssumptions.emplace_back("a gradient is as large as its value");
        for (const std::string& target : m_assumed)
            m_out.trainingAssumptions.push_back(target + " saves all operands and results");
    }

    PipelineModel::Edge& edgeBetween(std::uint32_t from, std::uint32_t to)
    {
        const auto same = [&](const PipelineModel::Edge& edge) { return edge.from == from && edge.to == to; };
        if (const auto known = std::ranges::find_if(m_out.edges, same); known != m_out.edges.end())
            return *known;
        return m_out.edges.emplace_back(PipelineModel::Edge{.from = from, .to = to});
    }

    const Program& m_program;
    const Graph& m_graph;
    const PipelineModelOptions& m_options;
    TrainingGraph m_training;
    TagAssignment m_tags;
    std::vector<std::int32_t> m_forwardOf; ///< per tag: the forward tag of a backward tag, else -1
    std::vector<std::uint32_t> m_stageOf; ///< per tag
    std::vector<double> m_transferSeconds; ///< per NodeId; negative: not measured
    std::set<std::string> m_assumed; ///< targets without a rule for saved values
    PipelineModel m_out;
};

} // namespace

std::optional<double> PipelineModel::availableOf(std::uint32_t rank) const
{
    const double bytes = deviceOf(rank).availableBytes;
    return hasDevices && std::isfinite(bytes) ? std::optional(bytes) : std::nullopt;
}

std::vector<std::string> PipelineModel::assumptionsFor(PipelineSchedule schedule) const
{
    std::vector<std::string> all = assumptions;
    if (schedule != PipelineSchedule::inference)
        all.insert(all.end(), trainingAssumptions.begin(), trainingAssumptions.end());
    return all;
}

Result<PipelineModel> pipelineModel(const Program& program, TagAssignment tags, const PipelineModelOptions& options,
                                    ProgressMonitor& monitor)
{
    return PipelineModelBuilder(program, std::move(tags), options).run(monitor);
}

Result<PipelineCosts> placedCosts(const PipelineModel& model, const PipelineOrder& order)
{
    if (model.stages.size() != order.sizes.stages)
        return fail(ErrorCode::refused,
                    "the cut has " + formatCount(model.stages.size(), "stage") + ", the schedule "
                        + formatCount(order.sizes.stages));
    if (model.hasDevices && model.devices.size() < order.sizes.ranks)
        return fail(ErrorCode::refused,
                    formatCount(order.sizes.ranks, "rank") + " need " + formatCount(order.sizes.ranks, "device") + "; there "
                        + (model.devices.size() == 1 ? "is 1" : "are " + formatCount(model.devices.size())));
    const bool isTraining = order.schedule != PipelineSchedule::inference;
    PipelineCosts costs;
    costs.held.assign(order.sizes.ranks, 0);
    for (std::uint32_t at = 0; at < order.sizes.stages; ++at) {
        const PipelineModel::Stage& stage = model.stages[at];
        const std::uint32_t rank = order.rankOf[at];
        const std::uint32_t kind = model.kindOf[model.hasDevices ? rank : 0];
        costs.stages.push_back({.forward = stage.forward[kind],
                                .backward = stage.backward[kind],
                                .kept = isTraining ? stage.kept : 0,
                                .working = stage.working});
        costs.held[rank] += stage.weights + (isTraining ? stage.gradients + stage.optimizer : 0);
    }
    std::vector<std::uint32_t> ranks;
    for (const PipelineModel::SharedWeight& weight : model.sharedWeights) {
        ranks.clear();
        for (const std::uint32_t stage : weight.stages)
            ranks.push_back(order.rankOf[stage]);
        std::ranges::sort(ranks);
        for (std::size_t i = 1; i < ranks.size(); ++i)
            if (ranks[i] == ranks[i - 1])
                costs.held[ranks[i]] -= weight.bytes;
    }
    const DeviceLinks links(model.devices);
    std::vector<char> isLinked(order.sizes.stages, 0); // with the next stage
    for (const PipelineModel::Edge& edge : model.edges) {
        const std::uint32_t from = order.rankOf[edge.from];
        const std::uint32_t to = order.rankOf[edge.to];
        const auto seconds = [&](const PipelineModel::Load& load, std::uint32_t sender, std::uint32_t receiver) {
            if (from == to)
                return 0.0;
            const std::optional<LinkFigures> link = model.hasDevices ? links.between(sender, receiver) : links.between(0, 0);
            return load.measured
                + (link ? link->seconds(load.bytes) + (static_cast<double>(load.values) - 1) * link->latencySeconds : 0);
        };
        const bool isNext = edge.to == edge.from + 1;
        if (isNext)
            isLinked[edge.from] = 1;
        costs.transfers.push_back({.from = edge.from,
                                   .to = edge.to,
                                   .forward = seconds(edge.forward, from, to),
                                   .backward = edge.hasGradient ? seconds(edge.backward, to, from) : 0,
                                   .hasGradient = isTraining && (edge.hasGradient || isNext)});
    }
    for (std::uint32_t stage = 0; stage + 1 < order.sizes.stages; ++stage)
        if (isLinked[stage] == 0)
            costs.transfers.push_back({.from = stage, .to = stage + 1, .hasGradient = isTraining});
    return costs;
}

} // namespace sunder
