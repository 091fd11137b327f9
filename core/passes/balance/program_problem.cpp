#include "passes/balance/program_problem.h"

#include "analysis/cut/backward_memory.h"
#include "analysis/cut/cut_graph.h"
#include "analysis/cut/node_sizes.h"
#include "analysis/cut/part_measure.h"
#include "analysis/device_links.h"
#include "analysis/device_presets.h"
#include "analysis/legality/copy_groups.h"
#include "analysis/legality/legality_tables.h"
#include "analysis/search/node_matcher.h"
#include "analysis/sequence/model_sequence.h"
#include "analysis/training/backward_tags.h"
#include "support/format.h"
#include "support/sort_unique.h"

#include <algorithm>
#include <memory>
#include <mutex>

namespace sunder {
namespace {

/// The peak memory of a set of forward calls with their backward calls.
class StageMemory {
public:
    StageMemory(std::shared_ptr<const CutGraph> graph, std::vector<std::vector<std::uint32_t>> callsOf,
                std::vector<char> isBackward, std::vector<double> extra)
        : m_graph(std::move(graph)), m_callsOf(std::move(callsOf)), m_isBackward(std::move(isBackward)),
          m_extra(std::move(extra)), m_partOf(m_graph->callCount, -1), m_measure(*m_graph, m_partOf)
    {
    }
    StageMemory(const StageMemory&) = delete;
    StageMemory& operator=(const StageMemory&) = delete;

    double of(std::span<const std::uint32_t> nodes)
    {
        const std::scoped_lock lock(m_mutex); // copies of a problem share this object
        std::vector<std::uint32_t> forward;
        std::vector<std::uint32_t> backward;
        double bytes = 0;
        for (const std::uint32_t node : nodes) {
            bytes += m_extra[node];
            for (const std::uint32_t call : m_callsOf[node])
                (m_isBackward[call] != 0 ? backward : forward).push_back(call);
        }
        bytes += used(forward);
        if (backward.empty())
            return bytes;
        bytes += used(backward);
        // Weights that both passes read are held once.
        MemorySum both(m_graph->memoryBytes);
        for (const std::uint32_t call : forward)
            both.add(m_graph->memories[call]);
        MemorySum counted(m_graph->memoryBytes);
        for (const std::uint32_t call : backward)
            for (const std::uint32_t memory : m_graph->memories[call])
                if (both.contains(memory))
                    bytes -= static_cast<double>(counted.add(memory));
        return bytes;
    }

private:
    double used(std::vector<std::uint32_t>& calls)
    {
        std::ranges::sort(calls);
        for (const std::uint32_t call : calls)
            m_partOf[call] = 0;
        const PartMetrics metrics = m_measure.measure(0, calls);
        for (const std::uint32_t call : calls)
            m_partOf[call] = -1;
        return static_cast<double>(metrics.sizes.usedBytes());
    }

    std::shared_ptr<const CutGraph> m_graph;
    std::vector<std::vector<std::uint32_t>> m_callsOf;
    std::vector<char> m_isBackward;
    std::vector<double> m_extra;
    std::mutex m_mutex;
    std::vector<std::int32_t> m_partOf;
    PartMeasure m_measure;
};

/// Builds the problem of a program.
class ProblemBuilder {
public:
    ProblemBuilder(const Program& program, const BalanceOptions& options)
        : m_program(program), m_graph(program.rootGraph()), m_options(options), m_training(trainingGraph(program))
    {
    }

    Result<void> run(BalancePlan& plan, ProblemUse use, ProgressMonitor& monitor)
    {
        const Program forward = m_training.isTraining() ? forwardProgram(m_program, m_training) : Program();
        m_tables = legalityTables(m_training.isTraining() ? forward : m_program);
        numberCalls(plan);
        if (plan.calls.empty())
            return fail(ErrorCode::refused, "the model has no ops to distribute");
        SUNDER_PROPAGATE(chooseDevices(plan));
        if (use == ProblemUse::search && m_options.devices.empty() && m_options.stages > plan.calls.size())
            return fail(ErrorCode::refused,
                        formatCount(m_options.stages, "stage") + " are more than the model's "
                            + formatCount(plan.calls.size(), "op"));
        SUNDER_TRY(CutGraph cut, cutGraph(m_program, monitor));
        m_cut = std::make_shared<const CutGraph>(std::move(cut));
        SUNDER_PROPAGATE(addSeconds(plan, monitor));
        addValues(plan);
        addLinks(plan);
        addOrder(plan);
        addGroups(plan);
        addMemory(plan);
        plan.problem.overlap = m_options.overlap;
        plan.problem.anyOrder = m_options.anyOrder;
        return use == ProblemUse::search ? checkGroups(plan) : Result<void>();
    }

    [[nodiscard]] TrainingGraph takeTraining() { return std::move(m_training); }

private:
    void numberCalls(BalancePlan& plan) const
    {
        plan.calls = m_tables.nodes;
        plan.problem.nodes = m_tables.callCount();
        plan.nodeOf.assign(m_graph.idBound(), BalancePlan::kNone);
        for (std::uint32_t node = 0; node < plan.calls.size(); ++node)
            plan.nodeOf[plan.calls[node].index()] = node;
        for (std::size_t id = 0; id < m_training.forwardOf.size() && id < plan.nodeOf.size(); ++id)
            if (const NodeId forward = m_training.forwardOf[id]; forward)
                plan.nodeOf[id] = plan.nodeOf[forward.index()];
    }

    Result<void> chooseDevices(BalancePlan& plan) const
    {
        plan.devices = m_options.devices;
        if (!plan.devices.empty())
            return {};
        if (m_options.stages == 0)
            return fail(ErrorCode::refused, "there are no devices to balance");
        SUNDER_TRY(plan.devices, assumedDevices(m_options.stages, m_options.measured.hasSeconds(), plan.assumptions));
        return {};
    }

    Result<void> addSeconds(BalancePlan& plan, ProgressMonitor& monitor)
    {
        SUNDER_TRY(const ProgramCosts costs, programCosts(m_program, monitor));
        SUNDER_TRY(const KindSeconds seconds,
                   kindSeconds(m_program, costs, plan.devices, !m_options.devices.empty() || !m_options.measured.hasSeconds(),
                               m_options.measured, plan.assumptions));
        m_transferSeconds.assign(m_graph.idBound(), -1);
        for (const ProgramSeconds& kind : seconds.kinds)
            addKind(plan, kind);
        for (std::size_t device = 0; device < plan.devices.size(); ++device)
            plan.problem.devices.push_back({seconds.kindOf[device], plan.devices[device].availableBytes});
        return {};
    }

    void addKind(BalancePlan& plan, const ProgramSeconds& seconds)
    {
        std::vector<double>& of = plan.problem.seconds.emplace_back(plan.problem.nodes, 0.0);
        if (m_training.isTraining())
            plan.backward.emplace_back(plan.problem.nodes, 0.0);
        for (const NodeId id : m_graph.nodes()) {
            if (!m_graph[id].isCall() || plan.nodeOf[id.index()] == BalancePlan::kNone)
                continue;
            const NodeSeconds& node = seconds.nodes[id.index()];
            of[plan.nodeOf[id.index()]] += node.seconds.value_or(0);
            if (m_training.isBackwardCall(id))
                plan.backward.back()[plan.nodeOf[id.index()]] += node.seconds.value_or(0);
            m_transferSeconds[id.index()] = node.transferSeconds.value_or(-1);
        }
    }

    void addValues(BalancePlan& plan) const
    {
        std::optional<BackwardMemory> gradients;
        if (m_options.step && !m_training.isTraining())
            gradients.emplace(m_program, *m_cut);
        for (std::uint32_t value = 0; value < m_cut->callCount; ++value) {
            const NodeId id = m_cut->nodes[value];
            const std::uint32_t producer = plan.nodeOf[id.index()];
            if (producer == BalancePlan::kNone || m_cut->readers[value].empty())
                continue;
            BalanceProblem::Value made{.producer = producer,
                                       .bytes = static_cast<double>(m_cut->bytes[value]),
                                       .seconds = m_transferSeconds[id.index()],
                                       .hasGradient = gradients && gradients->needsGradient(id)};
            if (made.seconds < 0 && m_cut->hasNoTensor[value] != 0)
                made.seconds = 0;
            for (const std::uint32_t reader : m_cut->readers[value])
                if (const std::uint32_t node = plan.nodeOf[m_cut->nodes[reader].index()]; node != BalancePlan::kNone)
                    made.readers.push_back(node);
            sortUnique(made.readers);
            plan.problem.values.push_back(std::move(made));
        }
    }

    void addLinks(BalancePlan& plan) const
    {
        const DeviceLinks links(plan.devices);
        const std::size_t count = plan.devices.size();
        std::vector<BalanceProblem::Link>& made = plan.problem.links;
        std::size_t unknown = 0;
        for (std::size_t from = 0; from < count; ++from)
            for (std::size_t to = 0; to < count; ++to) {
                const std::optional<LinkFigures> link = from == to ? std::nullopt : links.between(from, to);
                made.push_back(link ? BalanceProblem::Link{link->seconds(1) - link->latencySeconds, link->latencySeconds}
                                    : BalanceProblem::Link{});
                unknown += from != to && !link ? 1U : 0U;
            }
        const auto isDiagonal = [&](std::size_t at) { return at / count == at % count; };
        bool areEqual = true;
        for (std::size_t at = 0; at < made.size() && count > 1; ++at)
            areEqual = areEqual && (isDiagonal(at) || made[at] == made[1]);
        if (areEqual)
            made = {count > 1 ? made[1] : BalanceProblem::Link{}};
        const bool needsLink = std::ranges::any_of(plan.problem.values, [](const auto& value) { return value.seconds < 0; });
        if (unknown > 0 && needsLink)
            plan.assumptions.emplace_back("transfers over links without a bandwidth take no time");
        else if (needsLink && count > 1)
            plan.assumptions.emplace_back("transfers follow from bytes and links; program inputs and outputs take none");
        if (!areEqual)
            plan.assumptions.emplace_back("a device sends a value once, over the slowest link to its readers");
    }

    void addOrder(BalancePlan& plan) const
    {
        auto& order = plan.problem.order;
        for (const LegalityTables::Edge& edge : m_tables.edges)
            order.emplace_back(edge.from, edge.to);
        for (const LegalityTables::OrderedCalls& calls : m_tables.orderedCalls)
            order.emplace_back(calls.before, calls.after);
        const auto& setters = m_tables.setters;
        if (!setters.empty())
            plan.assumptions.emplace_back("ops stay between the calls around them that set global state, such as autocast");
        for (std::size_t i = 1; i < setters.size(); ++i)
            order.emplace_back(setters[i - 1], setters[i]);
        for (std::uint32_t call = 0; call < m_tables.callCount() && !setters.empty(); ++call) {
            const std::uint32_t before = m_tables.settersBefore[call];
            if (m_tables.noticesState[call] == 0 || (before < setters.size() && setters[before] == call))
                continue;
            if (before > 0)
                order.emplace_back(setters[before - 1], call);
            if (before < setters.size())
                order.emplace_back(call, setters[before]);
        }
        std::erase_if(order, [](const auto& pair) { return pair.first == pair.second; });
    }

    void addGroups(BalancePlan& plan)
    {
        auto& groups = plan.problem.groups;
        CopyGroups copies = copyGroups(m_tables);
        for (std::vector<std::uint32_t>& group : copies.groups)
            groups.push_back(std::move(group));
        if (copies.isStricter)
            plan.assumptions.emplace_back(
                "ops that read memory which is written in place stay with the op that makes their input");
        for (const LegalityTables::BoundValue& value : m_tables.boundValues)
            if (value.reader != LegalityTables::kNone)
                keepGroup(groups, {value.call, value.reader});
        m_ownGroups = groups.size();
        for (const auto* lists : {&m_options.measured.together, &m_options.together})
            for (const std::vector<NodeId>& list : *lists) {
                std::vector<std::uint32_t> group;
                for (const NodeId id : list)
                    if (plan.nodeOf[id.index()] != BalancePlan::kNone)
                        group.push_back(plan.nodeOf[id.index()]);
                keepGroup(groups, std::move(group));
            }
        if (m_options.atModules)
            addModuleGroups(plan);
    }

    static void keepGroup(std::vector<std::vector<std::uint32_t>>& groups, std::vector<std::uint32_t> group)
    {
        sortUnique(group);
        if (group.size() > 1)
            groups.push_back(std::move(group));
    }

    /// Joins the calls between two places where modules begin or end.
    void addModuleGroups(BalancePlan& plan) const
    {
        const ModelSequence sequence = modelSequence(m_program, m_cut);
        std::vector<std::uint32_t> group;
        for (std::uint32_t call = 0; call < sequence.callCount(); ++call) {
            if (sequence.isBorder(call, ModelSequence::kMaxDepth)) {
                keepGroup(plan.problem.groups, std::move(group));
                group.clear();
            }
            if (const std::uint32_t node = plan.nodeOf[m_cut->nodes[call].index()]; node != BalancePlan::kNone)
                group.push_back(node);
        }
        keepGroup(plan.problem.groups, std::move(group));
    }

    /// Refuses groups that leave fewer units than stages.
    [[nodiscard]] Result<void> checkGroups(const BalancePlan& plan) const
    {
        const auto unitsWith = [&](std::size_t groups) {
            const std::vector<std::uint32_t> unitOf = joinedGroups(plan.problem.nodes,
                                                                   std::span(plan.problem.groups).first(groups));
            std::size_t units = 0;
            for (std::uint32_t node = 0; node < unitOf.size(); ++node)
                units += unitOf[node] == node ? 1U : 0U;
            return units;
        };
        const std::size_t wanted = std::min<std::size_t>(plan.devices.size(), plan.problem.nodes);
        const std::size_t units = unitsWith(plan.problem.groups.size());
        if (units >= wanted)
            return {};
        std::size_t at = m_ownGroups;
        while (at + 1 < plan.problem.groups.size() && unitsWith(at + 1) >= wanted)
            ++at;
        std::string list;
        if (at < plan.problem.groups.size()) {
            const auto& group = plan.problem.groups[at];
            list = ": \"" + m_graph[plan.calls[group[0]]].name.str() + "\" and \"" + m_graph[plan.calls[group[1]]].name.str()
                + "\" are in the last list";
        }
        return fail(ErrorCode::refused,
                    "ops that stay together leave only " + formatCount(units, "unit") + " for " + formatCount(wanted, "stage")
                        + list);
    }

    void addMemory(BalancePlan& plan) const
    {
        const double least = std::ranges::min(plan.problem.devices, {}, &BalanceProblem::Device::memory).memory;
        if (!(least < std::numeric_limits<double>::infinity()))
            return;
        const std::vector<std::uint64_t> extraOfNodes = extraBytesOfNodes(m_program, m_options.measured);
        std::vector<double> extra(plan.problem.nodes, 0.0);
        for (const NodeId id : m_graph.nodes())
            if (const std::uint32_t node = plan.nodeOf[id.index()]; node != BalancePlan::kNone)
                extra[node] += static_cast<double>(extraOfNodes[id.index()]);
        const NodeSizes sizes = sizesOfNodes(m_program);
        if (sizes.fromFile) {
            addStatedSizes(plan, sizes, std::move(extra));
            return;
        }
        plan.assumptions.emplace_back("memory is the peak of a run: weights, inputs, and values until their last reader");
        for (std::uint32_t memory = 0; memory < m_cut->memoryBytes.size(); ++memory) {
            BalanceProblem::Memory made{.bytes = static_cast<double>(m_cut->memoryBytes[memory])};
            for (const std::uint32_t call : m_cut->memoryReaders[memory])
                if (const std::uint32_t node = plan.nodeOf[m_cut->nodes[call].index()]; node != BalancePlan::kNone)
                    made.readers.push_back(node);
            sortUnique(made.readers);
            if (!made.readers.empty() && made.bytes > 0)
                plan.problem.memories.push_back(std::move(made));
        }
        plan.problem.bytes = extra;
        std::vector<std::vector<std::uint32_t>> callsOf(plan.problem.nodes);
        std::vector<char> isBackward(m_cut->callCount, 0);
        plan.problem.mostExtraBytes.assign(plan.problem.nodes, 0);
        for (std::uint32_t call = 0; call < m_cut->callCount; ++call) {
            isBackward[call] = m_training.isBackwardCall(m_cut->nodes[call]) ? 1 : 0;
            if (const std::uint32_t node = plan.nodeOf[m_cut->nodes[call].index()]; node != BalancePlan::kNone) {
                callsOf[node].push_back(call);
                plan.problem.mostExtraBytes[node] += mostBytesOf(call);
            }
        }
        const auto memory = std::make_shared<StageMemory>(m_cut, std::move(callsOf), std::move(isBackward), std::move(extra));
        plan.problem.bytesOf = [memory](std::span<const std::uint32_t> nodes) { return memory->of(nodes); };
    }

    /// Returns an upper bound of the memory, without weights, that a call adds to a part.
    [[nodiscard]] double mostBytesOf(std::uint32_t call) const
    {
        std::uint64_t bytes = m_cut->isItem[call] != 0 ? m_cut->heldBytes[call] : 0;
        for (const std::uint32_t piece : m_cut->pieces[call])
            bytes += m_cut->pieceBytes[piece];
        for (const std::uint32_t value : m_cut->inputs[call])
            bytes += std::max(m_cut->heldBytes[value], m_cut->bytes[value]);
        return static_cast<double>(bytes);
    }

    /// A device holds the bytes of its calls and the outputs of others that it reads.
    void addStatedSizes(BalancePlan& plan, const NodeSizes& sizes, std::vector<double> extra) const
    {
        plan.assumptions.emplace_back("memory is the sum of size_bytes in the file");
        for (const NodeId id : m_graph.nodes())
            if (const std::uint32_t node = plan.nodeOf[id.index()]; node != BalancePlan::kNone)
                extra[node] += static_cast<double>(sizes.own[id.index()]);
        plan.problem.bytes = extra;
        struct Input {
            std::uint32_t node;
            double bytes;
        };
        std::vector<std::vector<Input>> inputs(plan.problem.nodes);
        bool hasInputs = false;
        for (const BalanceProblem::Value& value : plan.problem.values) {
            const auto bytes = static_cast<double>(sizes.output[plan.calls[value.producer].index()]);
            for (const std::uint32_t reader : value.readers)
                if (bytes > 0) {
                    inputs[reader].push_back({value.producer, bytes});
                    hasInputs = true;
                }
        }
        if (!hasInputs)
            return;
        plan.problem.bytesOf = [extra = std::move(extra), inputs = std::move(inputs)](std::span<const std::uint32_t> nodes) {
            double bytes = 0;
            std::vector<std::uint32_t> seen(nodes.begin(), nodes.end());
            std::vector<Input> outside;
            for (const std::uint32_t node : nodes) {
                bytes += extra[node];
                for (const Input& input : inputs[node])
                    if (!std::ranges::binary_search(nodes, input.node))
                        outside.push_back(input);
            }
            std::ranges::sort(outside, {}, &Input::node);
            for (std::size_t i = 0; i < outside.size(); ++i)
                bytes += i == 0 || outside[i].node != outside[i - 1].node ? outside[i].bytes : 0;
            return bytes;
        };
    }

    const Program& m_program;
    const Graph& m_graph;
    const BalanceOptions& m_options;
    TrainingGraph m_training;
    LegalityTables m_tables;
    std::shared_ptr<const CutGraph> m_cut;
    std::vector<double> m_transferSeconds; ///< per NodeId; negative: unknown
    std::size_t m_ownGroups = 0; ///< groups that the program requires
};

} // namespace

Result<TrainingGraph> buildProblem(const Program& program, const BalanceOptions& options, BalancePlan& plan, ProblemUse use,
                                   ProgressMonitor& monitor)
{
    ProblemBuilder builder(program, options);
    SUNDER_PROPAGATE(builder.run(plan, use, monitor));
    return builder.takeTraining();
}

} // namespace sunder
