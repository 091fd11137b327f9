#include "analysis/cut/backward_memory.h"
#include "analysis/cut/part_measure.h"
#include "analysis/search/node_matcher.h"
#include "analysis/training/training_graph.h"
#include "cli/command.h"
#include "cli/files.h"
#include "cli/tags.h"
#include "io/side_files/costs_file.h"
#include "support/format.h"

#include <QString>

#include <algorithm>
#include <set>

namespace sunder::cli {
namespace {

constexpr CommandOption kMemoryOptions[] = {
    {Takes::input, "tags", "TAGS.json", "Tag of each node, and the order of tags. Default: the tags in the model."},
    CommandOption{Takes::input, "costs", "COSTS",
                  "Extra memory of nodes and modules, and modules to recompute: COSTS.json or CSV."}
        .repeatable(),
    flag("training", "Also measure what training keeps: saved values, gradients, and the state of the optimizer."),
    CommandOption{Takes::word, "optimizer", "sgd|momentum|adam", "Optimizer whose state is counted. Default: sgd."}
        .usually("sgd")
        .needing("training"),
    CommandOption{Takes::text, "schedule", "NAME", "Pipeline schedule of --training: GPipe, LoopedBFS, or 1F1B, in any case."}
        .needing("micro-batches"),
    CommandOption{Takes::number, "micro-batches", "M", "Number of micro-batches of a step. The model is one of them."}
        .between(1, 1'000'000)
        .needing("schedule"),
};

/// What training keeps between the forward and the backward pass.
struct TrainingMemory {
    std::uint64_t inFlight = 1; ///< micro-batches whose backward pass is still to come, at most
    std::uint64_t kept = 0;     ///< for all of them
    std::uint64_t gradients = 0;
    std::uint64_t optimizer = 0;
};

/// A part, or the whole model.
struct MeasuredPart {
    std::string name;
    PartMetrics metrics = {};
    std::vector<MemoryPoint> curve = {}; ///< of its activations
    std::uint64_t extra = 0; ///< as entered by the user
    std::optional<TrainingMemory> training = {};

    [[nodiscard]] std::uint64_t resident() const { return metrics.sizes.residentBytes() + extra; }
    [[nodiscard]] std::uint64_t peak() const { return metrics.sizes.usedBytes() + extra; }
    [[nodiscard]] std::uint64_t total() const
    {
        return peak() + (training ? training->kept + training->gradients + training->optimizer : 0);
    }
};

/// The number of micro-batches in flight, by the index of a stage.
class Schedule {
public:
    static Result<Schedule> from(const Invocation& invocation)
    {
        Schedule schedule;
        if (!invocation.isSet("schedule"))
            return schedule;
        if (!invocation.isSet("training"))
            return fail(ErrorCode::usage, "--schedule needs --training");
        schedule.m_microBatches = invocation.number("micro-batches");
        for (const char* known : {"GPipe", "LoopedBFS", "1F1B"})
            if (QString::fromStdString(invocation.value("schedule")).compare(QLatin1String(known), Qt::CaseInsensitive) == 0)
                schedule.m_name = known;
        if (schedule.m_name.empty())
            return fail(ErrorCode::refused,
                        "the memory of schedule \"" + invocation.value("schedule")
                            + "\" is not supported; choose GPipe, LoopedBFS, or 1F1B");
        return schedule;
    }

    [[nodiscard]] std::uint64_t inFlight(std::size_t stage, std::size_t stages) const
    {
        return m_name == "1F1B" ? std::min<std::uint64_t>(m_microBatches, stages - stage) : m_microBatches;
    }
    [[nodiscard]] const std::string& name() const { return m_name; }
    [[nodiscard]] std::uint64_t microBatches() const { return m_microBatches; }

private:
    std::string m_name; ///< empty: no pipeline
    std::uint64_t m_microBatches = 1;
};

/// Measures the parts of a model, or the whole model as one part.
class Measurement {
public:
    Measurement(const Program& program, const TagAssignment& tags)
        : m_program(program), m_tags(tags), m_graph(cutGraph(program, MemoryRule::freesDead)),
          m_partOf(isWhole() ? std::vector<std::int32_t>(m_graph.callCount, 0) : partsOfCalls(m_graph, tags)),
          m_calls(callsOfParts(m_partOf, isWhole() ? 1 : tags.order.size()))
    {
        PartMeasure measure(m_graph, m_partOf);
        for (std::size_t i = 0; i < m_calls.size(); ++i) {
            MeasuredPart& part = m_parts.emplace_back(MeasuredPart{.name = isWhole() ? "model" : tags.order[i].str()});
            part.metrics = isWhole() ? measureProgram(m_graph, &part.curve)
                                     : measure.measure(static_cast<std::int32_t>(i), m_calls[i], &part.curve);
        }
    }

    /// Adds memory that the user entered: of a node, to its part; of a module, to the part of its first call.
    void addExtra(const MeasuredCosts& costs)
    {
        for (std::uint32_t call = 0; call < m_graph.callCount; ++call)
            addTo(m_partOf[call], costs.of(m_graph.nodes[call]).extraBytes);
        for (const auto& [module, bytes] : costs.moduleExtraBytes)
            for (std::uint32_t call = 0; call < m_graph.callCount; ++call) {
                const std::string_view path = modulePathOf(m_program, m_program.rootGraph()[m_graph.nodes[call]]);
                if (path.starts_with(module.view())
                    && (path.size() == module.view().size() || path[module.view().size()] == '.')) {
                    addTo(m_partOf[call], bytes);
                    break;
                }
            }
    }

    void addTraining(const MeasuredCosts& costs, const Schedule& schedule, std::uint64_t statesPerParameter)
    {
        BackwardMemory memory(m_program, m_graph, costs.recompute);
        for (std::size_t i = 0; i < m_parts.size(); ++i) {
            const TrainingSizes sizes = memory.measure(m_partOf, static_cast<std::int32_t>(i), m_calls[i]);
            const std::uint64_t inFlight = schedule.inFlight(i, m_parts.size());
            m_parts[i].training = TrainingMemory{.inFlight = inFlight,
                                                 .kept = sizes.savedBytes * inFlight,
                                                 .gradients = sizes.gradientBytes,
                                                 .optimizer = sizes.gradientBytes * statesPerParameter};
            for (const InternedString target : sizes.assumed)
                m_assumed.insert(target.str());
        }
    }

    [[nodiscard]] const std::vector<MeasuredPart>& parts() const { return m_parts; }
    /// Returns operators without a rule for saved values.
    [[nodiscard]] const std::set<std::string>& assumed() const { return m_assumed; }
    [[nodiscard]] std::uint64_t untagged() const
    {
        return static_cast<std::uint64_t>(std::ranges::count(m_partOf, TagAssignment::kUntagged));
    }

private:
    [[nodiscard]] bool isWhole() const { return m_tags.order.empty(); }
    void addTo(std::int32_t part, std::uint64_t bytes)
    {
        if (part >= 0)
            m_parts[static_cast<std::size_t>(part)].extra += bytes;
    }

    const Program& m_program;
    const TagAssignment& m_tags;
    CutGraph m_graph;
    std::vector<std::int32_t> m_partOf;
    Rows m_calls;
    std::vector<MeasuredPart> m_parts;
    std::set<std::string> m_assumed;
};

/// Returns the names of values and weights with unknown sizes, which count as 0.
std::vector<std::string> unknownSizes(const Program& program, const PartMetrics& metrics)
{
    std::vector<std::string> names;
    for (const NodeId id : metrics.unknownValues)
        names.push_back(program.rootGraph()[id].name.str());
    for (const TensorId id : metrics.unknownTensors)
        names.push_back(id ? program.tensors[id].fqn.str() : "a weight");
    return names;
}

void write(const Program& program, const MeasuredPart& part, JsonWriter& json)
{
    const Graph& graph = program.rootGraph();
    const PartSizes& sizes = part.metrics.sizes;
    json.object([&] {
        json.member("name", part.name);
        json.member("ops", sizes.ops);
        json.member("weights", sizes.parameterBytes);
        json.member("inputs", sizes.inputBytes);
        if (part.extra > 0)
            json.member("extra", part.extra);
        json.member("resident", part.resident());
        json.member("peak", part.peak());
        json.key("peak_node");
        if (part.metrics.peakAt)
            json.value(graph[part.metrics.peakAt].name.view());
        else
            json.value(nullptr);
        json.key("curve");
        json.list(part.curve, [&](const MemoryPoint& point) {
            json.object([&] {
                json.member("node", graph[point.call].name.view());
                json.member("bytes", part.resident() + point.bytes);
            });
        });
        if (part.training) {
            json.member("in_flight", part.training->inFlight);
            json.member("kept_for_backward", part.training->kept);
            json.member("gradients", part.training->gradients);
            json.member("optimizer", part.training->optimizer);
            json.member("total", part.total());
        }
        json.member("unknown", unknownSizes(program, part.metrics));
    });
}

void say(const Program& program, const MeasuredPart& part, Outcome& outcome)
{
    const PartSizes& sizes = part.metrics.sizes;
    std::string line = part.name + ": " + formatCount(sizes.ops, "op") + ", " + formatBytes(part.resident()) + " resident ("
        + formatBytes(sizes.parameterBytes) + " weights, " + formatBytes(sizes.inputBytes) + " inputs"
        + (part.extra > 0 ? ", " + formatBytes(part.extra) + " extra" : "") + "), peak " + formatBytes(part.peak());
    if (part.metrics.peakAt)
        line += " at " + program.rootGraph()[part.metrics.peakAt].name.str();
    outcome.say(std::move(line));
    if (part.training)
        outcome.say("  " + formatBytes(part.training->kept) + " kept for backward (" + formatCount(part.training->inFlight)
                    + (part.training->inFlight == 1 ? " micro-batch" : " micro-batches") + "), "
                    + formatBytes(part.training->gradients) + " gradients, " + formatBytes(part.training->optimizer)
                    + " optimizer, total " + formatBytes(part.total()));
    if (const std::vector<std::string> unknown = unknownSizes(program, part.metrics); !unknown.empty())
        outcome.say("  " + formatCount(unknown.size(), "unknown size") + " counted as 0 bytes, first: " + unknown.front());
}

std::vector<std::string> namesOf(const std::vector<InternedString>& names)
{
    std::vector<std::string> texts;
    for (const InternedString name : names)
        texts.push_back(name.str());
    return texts;
}

Result<Outcome> runMemory(const Invocation& invocation)
{
    SUNDER_TRY(const Program program, readInput(invocation, invocation.files[0]));
    TagAssignment tags = tagsOnNodes(program);
    if (invocation.isSet("tags")) {
        SUNDER_TRY(tags, tagsFor(invocation, program));
    }
    std::vector<std::string> files;
    for (const QString& file : invocation.options.values(QStringLiteral("costs")))
        files.push_back(file.toStdString());
    SUNDER_TRY(const MeasuredCosts costs, readCostsFiles(program, files));
    SUNDER_TRY(const Schedule schedule, Schedule::from(invocation));
    const bool isTraining = invocation.isSet("training");
    if (isTraining && trainingGraph(program).isTraining())
        return fail(ErrorCode::refused, "the model has a backward pass of its own; measure it without --training");
    const std::string optimizer = invocation.value("optimizer");
    const Measurement measurement = invocation.timer.measure("pass", [&] {
        Measurement measured(program, tags);
        measured.addExtra(costs);
        if (isTraining)
            measured.addTraining(costs, schedule, optimizer == "adam" ? 2 : optimizer == "momentum" ? 1 : 0);
        return measured;
    });
    Outcome outcome;
    JsonWriter& json = outcome.json;
    json.key("parts");
    json.list(measurement.parts(), [&](const MeasuredPart& part) { write(program, part, json); });
    for (const MeasuredPart& part : measurement.parts())
        say(program, part, outcome);
    if (measurement.untagged() > 0)
        outcome.say(formatCount(measurement.untagged(), "op") + " without a tag, not counted");
    json.key("assumptions");
    json.object([&] {
        json.member("mode", isTraining ? "training" : "inference");
        json.member("order", "graph");
        json.member("untagged", measurement.untagged());
        if (!isTraining)
            return;
        json.member("device", "cpu");
        json.member("optimizer", optimizer);
        json.memberIfAny("schedule", schedule.name());
        json.member("micro_batches", schedule.microBatches());
        json.member("recompute", namesOf(costs.recompute));
        json.member("saves_everything", measurement.assumed());
    });
    for (const std::string& target : measurement.assumed())
        outcome.say(target + ": assumed to save all operands and results");
    return outcome;
}

} // namespace

Command memoryCommand()
{
    return {"memory", "IN", "Measure the memory of a model, or of each part, and its peak during a run.",
            joined({kMemoryOptions}), runMemory};
}

} // namespace sunder::cli
