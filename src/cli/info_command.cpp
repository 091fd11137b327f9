#include "analysis/sizes.h"
#include "cli/command.h"
#include "cli/edge_outcome.h"
#include "cli/files.h"
#include "io/sympy/size_assumptions.h"
#include "ir/program_memory.h"
#include "ir/value_kind.h"
#include "support/format.h"

#include <QJsonArray>

#include <algorithm>
#include <array>
#include <map>

namespace sunder::cli {
namespace {

struct Counts {
    std::array<std::uint64_t, 6> byOp{};
    std::map<std::string, std::uint64_t> byTarget; ///< of call nodes
};

Counts countNodes(const Program& program)
{
    Counts counts;
    for (const Graph& graph : program.graphs)
        for (const NodeId id : graph.nodes()) {
            ++counts.byOp[static_cast<std::size_t>(graph[id].op)];
            if (graph[id].isCall())
                ++counts.byTarget[graph[id].target.str()];
        }
    return counts;
}

/// The placeholders that stand for the program's own inputs, in order.
std::vector<NodeId> userInputs(const Program& program)
{
    const Graph& graph = program.rootGraph();
    const std::vector<TensorId> lifted = tensorsOfNodes(program);
    std::vector<NodeId> inputs;
    for (const NodeId id : graph.nodes())
        if (graph[id].op == Op::placeholder && !lifted[id.index()])
            inputs.push_back(id);
    return inputs;
}

std::string typeOf(const Node& node)
{
    return node.meta.val ? describeValue(*node.meta.val) : std::string();
}

QJsonArray jsonOfInputs(const Program& program, const std::vector<NodeId>& inputs)
{
    QJsonArray array;
    for (const NodeId id : inputs) {
        const Node& node = program.rootGraph()[id];
        array.append(QJsonObject{{QStringLiteral("name"), text(node.name.view())}, {QStringLiteral("type"), text(typeOf(node))}});
    }
    return array;
}

QJsonObject jsonOfRanges(const Program& program)
{
    QJsonObject ranges;
    for (const SymbolRange& range : program.ranges)
        ranges[text(range.symbol.view())] = QJsonArray{range.min ? QJsonValue(static_cast<qint64>(*range.min)) : QJsonValue(),
                                                       range.max ? QJsonValue(static_cast<qint64>(*range.max)) : QJsonValue()};
    return ranges;
}

QJsonArray jsonOfAssumptions(const std::vector<SizeAssumption>& assumptions)
{
    QJsonArray array;
    for (const SizeAssumption& each : assumptions) {
        QJsonObject line{{QStringLiteral("symbol"), text(each.symbol.view())},
                         {QStringLiteral("value"), each.value ? QJsonValue(static_cast<qint64>(*each.value)) : QJsonValue()}};
        if (!each.input.empty()) {
            line[QStringLiteral("input")] = text(each.input.view());
            if (!each.isInput)
                line[QStringLiteral("dimension")] = static_cast<qint64>(each.dimension);
        }
        array.append(line);
    }
    return array;
}

QJsonObject infoJson(const Program& program, const Counts& counts, const ProgramSizes& sizes,
                     const std::vector<SizeAssumption>& assumptions)
{
    QJsonObject ops;
    for (std::size_t i = 0; i < counts.byOp.size(); ++i)
        ops[text(name(static_cast<Op>(i)))] = static_cast<qint64>(counts.byOp[i]);
    QJsonObject targets;
    for (const auto& [target, count] : counts.byTarget)
        targets[text(target)] = static_cast<qint64>(count);
    return {{QStringLiteral("format"), text(program.origin.format)},
            {QStringLiteral("torch"), text(program.origin.torch)},
            {QStringLiteral("nodes"), static_cast<qint64>(program.nodeCount())},
            {QStringLiteral("graphs"), static_cast<qint64>(program.graphs.size())},
            {QStringLiteral("modules"), static_cast<qint64>(program.modules.size())},
            {QStringLiteral("tensors"), static_cast<qint64>(program.tensors.size())},
            {QStringLiteral("tensor_bytes"), static_cast<qint64>(sizes.totalParameterBytes)},
            {QStringLiteral("program_bytes"), static_cast<qint64>(memoryOf(program))},
            {QStringLiteral("inputs"), jsonOfInputs(program, userInputs(program))},
            {QStringLiteral("ops"), ops},
            {QStringLiteral("targets"), targets},
            {QStringLiteral("result_bytes"), static_cast<qint64>(sizes.totalOutputBytes)},
            {QStringLiteral("assumptions"), jsonOfAssumptions(assumptions)},
            {QStringLiteral("ranges"), jsonOfRanges(program)}};
}

void sayMostUsedTargets(const Counts& counts, Outcome& outcome)
{
    constexpr std::size_t kShown = 8;
    std::vector<std::pair<std::uint64_t, std::string>> order;
    for (const auto& [target, count] : counts.byTarget)
        order.emplace_back(count, target);
    std::stable_sort(order.begin(), order.end(), [](const auto& a, const auto& b) { return a.first > b.first; });
    for (std::size_t i = 0; i < std::min(kShown, order.size()); ++i)
        outcome.say("  " + formatCount(order[i].first) + " × " + order[i].second);
    if (order.size() > kShown)
        outcome.say("  and " + formatCount(order.size() - kShown, "more kind"));
}

void say(const std::string& file, const Program& program, const Counts& counts, const ProgramSizes& sizes,
         const std::vector<SizeAssumption>& assumptions, Outcome& outcome)
{
    const std::string torch = program.origin.torch;
    outcome.say(file + ": " + program.origin.format + (torch.empty() ? "" : ", written by PyTorch " + torch));
    outcome.say(formatCount(program.nodeCount(), "node") + " in " + formatCount(program.graphs.size(), "graph") + ", "
                + formatCount(program.modules.size() - 1, "module") + ", " + formatCount(program.tensors.size(), "tensor") + " ("
                + formatBytes(sizes.totalParameterBytes) + ")");
    for (const NodeId id : userInputs(program))
        outcome.say("input " + program.rootGraph()[id].name.str() + ": " + typeOf(program.rootGraph()[id]));
    for (const SymbolRange& range : program.ranges)
        outcome.say("size " + range.symbol.str() + ": " + (range.min ? std::to_string(*range.min) : "any") + " to "
                    + (range.max ? std::to_string(*range.max) : "any"));
    for (const SizeAssumption& each : assumptions)
        if (each.value)
            outcome.say("taken: " + describe(each) + " = " + std::to_string(*each.value));
    outcome.say("results of all ops: " + formatBytes(sizes.totalOutputBytes));
    sayMostUsedTargets(counts, outcome);
}

void declareInfo(QCommandLineParser& parser)
{
    parser.addOption({QStringLiteral("edge"),
                      QStringLiteral("Says what flows from one node or module to another, in place of the rest."),
                      QStringLiteral("FROM:TO")});
}

Result<Outcome> runInfo(const Invocation& invocation)
{
    const Result<Program> program = readInput(invocation, invocation.files[0]);
    if (!program)
        return forward(program);
    if (invocation.isSet("edge"))
        return edgeOutcome(*program, invocation.value("edge"));
    const Counts counts = countNodes(*program);
    const ProgramSizes sizes = programSizes(*program);
    const std::vector<SizeAssumption> assumptions = sizeAssumptions(*program);
    Outcome outcome{.json = infoJson(*program, counts, sizes, assumptions)};
    say(invocation.files[0], *program, counts, sizes, assumptions, outcome);
    return outcome;
}

} // namespace

Command infoCommand()
{
    return {"info", "IN", "Tells what a model file holds.", declareInfo, runInfo};
}

} // namespace sunder::cli
