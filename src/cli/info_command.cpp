#include "analysis/cut/graph_interface.h"
#include "analysis/module_summary.h"
#include "analysis/sizes.h"
#include "analysis/values_between.h"
#include "cli/command.h"
#include "cli/files.h"
#include "cli/tensor_outcome.h"
#include "io/sympy/size_assumptions.h"
#include "ir/program.h"
#include "ir/program_memory.h"
#include "ir/value_kind.h"
#include "support/format.h"

#include <QJsonArray>

#include <algorithm>
#include <array>
#include <map>

namespace sunder::cli {
namespace {

std::uint64_t bytesOf(const Node& node)
{
    return node.meta.val ? byteSize(*node.meta.val).value_or(0) : 0;
}

std::string edgeLine(const Graph& graph, const ValueBetween& value)
{
    const Node& node = graph[value.value];
    std::string line = node.name.str();
    if (value.item)
        line += ", output " + std::to_string(*value.item) + " of " + graph[value.producer].name.str();
    if (node.meta.val)
        line += "  " + describeValue(*node.meta.val) + "  " + formatBytes(bytesOf(node));
    line += "  to ";
    for (std::size_t i = 0; i < value.readers.size(); ++i)
        line += (i == 0 ? "" : ", ") + graph[value.readers[i]].name.str();
    return value.further == 0 ? line : line + "  and " + formatCount(value.further, "consumer") + " elsewhere";
}

QJsonObject valueJson(const Graph& graph, const ValueBetween& value)
{
    const Node& node = graph[value.value];
    QJsonArray readers;
    for (const NodeId reader : value.readers)
        readers.append(text(graph[reader].name.view()));
    QJsonObject json{{QStringLiteral("name"), text(node.name.view())},
                     {QStringLiteral("producer"), text(graph[value.producer].name.view())},
                     {QStringLiteral("bytes"), static_cast<qint64>(bytesOf(node))},
                     {QStringLiteral("readers"), readers},
                     {QStringLiteral("further_readers"), static_cast<qint64>(value.further)}};
    if (node.meta.val)
        json[QStringLiteral("type")] = text(describeValue(*node.meta.val));
    if (value.item)
        json[QStringLiteral("item")] = static_cast<qint64>(*value.item);
    return json;
}

/// Returns "no value flows from a to d; a is used by b, c and 3 more".
std::string whyNoEdge(const Graph& graph, const std::string& from, const std::string& to, std::span<const NodeId> makers)
{
    constexpr std::size_t kShown = 5;
    std::vector<NodeId> all(graph.nodes().begin(), graph.nodes().end());
    std::vector<NodeId> readers;
    for (const ValueBetween& value : valuesBetween(graph, makers, all))
        readers.insert(readers.end(), value.readers.begin(), value.readers.end());
    std::string why = "no value flows from " + from + " to " + to + "; ";
    if (readers.empty())
        return why + from + " has no consumers";
    why += from + " is used by ";
    for (std::size_t i = 0; i < std::min(kShown, readers.size()); ++i)
        why += (i == 0 ? "" : ", ") + graph[readers[i]].name.str();
    return readers.size() <= kShown ? why : why + " and " + formatCount(readers.size() - kShown) + " more";
}

/// Describes the values between `ends`, "FROM:TO", each a node or a module, like the edge card of the window. If there are none,
/// the exit status is 1 and the output lists the consumers of FROM.
Result<Outcome> edgeOutcome(const Program& program, const std::string& ends)
{
    const std::size_t colon = ends.find(':');
    if (colon == std::string::npos || colon == 0 || colon + 1 == ends.size())
        return fail(ErrorCode::usage, "--edge takes FROM:TO, two nodes or modules, not " + ends);
    const std::string from = ends.substr(0, colon);
    const std::string to = ends.substr(colon + 1);
    SUNDER_TRY(const std::vector<NodeId> makers, endOfEdge(program, from));
    SUNDER_TRY(const std::vector<NodeId> readers, endOfEdge(program, to));
    const Graph& graph = program.rootGraph();
    const std::vector<ValueBetween> values = valuesBetween(graph, makers, readers);
    Outcome outcome;
    QJsonArray list;
    std::uint64_t bytes = 0;
    for (const ValueBetween& value : values) {
        bytes += bytesOf(graph[value.value]);
        list.append(valueJson(graph, value));
        outcome.say(edgeLine(graph, value));
    }
    outcome.json = {{QStringLiteral("from"), text(from)},
                    {QStringLiteral("to"), text(to)},
                    {QStringLiteral("values"), list},
                    {QStringLiteral("bytes"), static_cast<qint64>(bytes)}};
    if (values.size() > 1)
        outcome.say(formatCount(values.size(), "value") + ", " + formatBytes(bytes) + " in total");
    if (!values.empty())
        return outcome;
    const std::string why = whyNoEdge(graph, from, to, makers);
    outcome.status = exitStatus(ErrorCode::refused);
    outcome.say(why);
    outcome.json[QStringLiteral("why")] = text(why);
    return outcome;
}

constexpr unsigned kMaxDepth = 1000;

struct Counts {
    std::array<std::uint64_t, 6> byOp{};
    std::map<std::string, std::uint64_t> byTarget; ///< call nodes by target
};

/// Data computed from a program.
struct Held {
    ProgramSizes sizes;
    GraphInterface interface; ///< without effect tokens and objects
    std::vector<SizeAssumption> assumptions;
    std::vector<ModuleSummary> modules;
    std::uint32_t depth = 0; ///< maximum depth of listed modules
};

/// Returns the number of modules in the file, or, for an exported program, of the modules of its nodes and weights. Includes the
/// root module.
std::size_t moduleCount(const Program& program, const Held& held)
{
    return std::max(program.modules.size(), held.modules.size());
}

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

/// Formats the type of a value: "f32[2, 3]", "None, always".
std::string typeOf(const Port& port, const Graph& graph)
{
    const std::string type = describeType(port, graph);
    if (port.literal)
        return "always " + type;
    return type.empty() ? "unknown type" : type;
}

std::string portName(const Port& port, const Graph& graph)
{
    return port.node ? graph[port.node].name.str() : std::string();
}

QJsonObject portJson(const Port& port, const Graph& graph)
{
    QJsonObject json{{QStringLiteral("name"), text(portName(port, graph))},
                     {QStringLiteral("type"), text(describeType(port, graph))}};
    if (port.literal)
        json[QStringLiteral("literal")] = true;
    return json;
}

QJsonArray jsonOfInputs(const std::vector<Port>& inputs, const Graph& graph)
{
    QJsonArray array;
    for (const Port& input : inputs)
        array.append(portJson(input, graph));
    return array;
}

QJsonArray jsonOfOutputs(const std::vector<Port>& outputs, const Graph& graph)
{
    QJsonArray array;
    for (const Port& output : outputs) {
        QJsonObject json = portJson(output, graph);
        json[QStringLiteral("kind")] = text(outputKindName(output.outputKind));
        if (!output.target.empty())
            json[QStringLiteral("target")] = text(output.target.view());
        array.append(json);
    }
    return array;
}

QJsonArray jsonOfModules(const std::vector<ModuleSummary>& modules, std::uint32_t depth)
{
    QJsonArray array;
    for (const ModuleSummary& module : modules)
        if (module.depth <= depth)
            array.append(QJsonObject{{QStringLiteral("path"), text(module.path.view())},
                                     {QStringLiteral("class"), text(module.cls.view())},
                                     {QStringLiteral("ops"), static_cast<qint64>(module.ops)},
                                     {QStringLiteral("tensors"), static_cast<qint64>(module.tensors)},
                                     {QStringLiteral("parameters"), static_cast<qint64>(module.parameters)},
                                     {QStringLiteral("bytes"), static_cast<qint64>(module.bytes)}});
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

QJsonObject infoJson(const Program& program, const Counts& counts, const Held& held)
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
            {QStringLiteral("modules"), static_cast<qint64>(moduleCount(program, held))},
            {QStringLiteral("tensors"), static_cast<qint64>(program.tensors.size())},
            {QStringLiteral("tensor_bytes"), static_cast<qint64>(held.sizes.totalParameterBytes)},
            {QStringLiteral("program_bytes"), static_cast<qint64>(memoryOf(program))},
            {QStringLiteral("inputs"), jsonOfInputs(held.interface.inputs, program.rootGraph())},
            {QStringLiteral("outputs"), jsonOfOutputs(held.interface.outputs, program.rootGraph())},
            {QStringLiteral("module_tree"), jsonOfModules(held.modules, held.depth)},
            {QStringLiteral("ops"), ops},
            {QStringLiteral("targets"), targets},
            {QStringLiteral("result_bytes"), static_cast<qint64>(held.sizes.totalOutputBytes)},
            {QStringLiteral("assumptions"), jsonOfAssumptions(held.assumptions)},
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
        outcome.say("  and " + formatCount(order.size() - kShown, "more target"));
}

void sayInterface(const GraphInterface& interface, const Graph& graph, Outcome& outcome)
{
    for (const Port& input : interface.inputs)
        outcome.say("input " + portName(input, graph) + ": " + typeOf(input, graph));
    for (const Port& output : interface.outputs)
        outcome.say("output " + (output.literal ? std::string() : portName(output, graph) + ": ") + typeOf(output, graph)
                    + (output.outputKind == OutputKind::user ? std::string() : ", " + describeRole(output)));
}

void sayModules(const Held& held, Outcome& outcome)
{
    constexpr std::size_t kShown = 60;
    std::size_t count = 0;
    std::size_t deeper = 0;
    for (const ModuleSummary& module : held.modules) {
        deeper += module.depth > held.depth ? 1 : 0;
        if (module.depth == 0 || module.depth > held.depth || ++count > kShown)
            continue;
        std::string line = std::string(2 * std::size_t{module.depth}, ' ') + module.path.str();
        line += module.cls.empty() ? "" : " " + module.cls.str();
        line += ": " + formatCount(module.ops, "op");
        if (module.tensors > 0)
            line += ", " + formatCount(module.parameters, "parameter") + " in " + formatCount(module.tensors, "tensor") + " ("
                + formatBytes(module.bytes) + ")";
        outcome.say(line);
    }
    if (count > kShown)
        outcome.say("  and " + formatCount(count - kShown, "more module") + "; --json lists all");
    if (deeper > 0)
        outcome.say("  and " + formatCount(deeper, "deeper module") + "; --depth sets the depth");
}

void say(const std::string& file, const Program& program, const Counts& counts, const Held& held, Outcome& outcome)
{
    const std::string torch = program.origin.torch;
    outcome.say(file + ": " + program.origin.format + (torch.empty() ? "" : ", written by PyTorch " + torch));
    outcome.say(formatCount(program.nodeCount(), "node") + " in " + formatCount(program.graphs.size(), "graph") + ", "
                + formatCount(moduleCount(program, held) - 1, "module") + ", " + formatCount(program.tensors.size(), "tensor")
                + " (" + formatBytes(held.sizes.totalParameterBytes) + ")");
    sayInterface(held.interface, program.rootGraph(), outcome);
    for (const SymbolRange& range : program.ranges)
        outcome.say("symbolic dimension " + range.symbol.str() + ": " + (range.min ? std::to_string(*range.min) : "any") + " to "
                    + (range.max ? std::to_string(*range.max) : "any"));
    for (const SizeAssumption& each : held.assumptions)
        if (each.value)
            outcome.say("assumed: " + describe(each) + " = " + std::to_string(*each.value));
    outcome.say("results of all ops: " + formatBytes(held.sizes.totalOutputBytes));
    sayMostUsedTargets(counts, outcome);
    if (held.modules.size() > 1)
        outcome.say("modules:");
    sayModules(held, outcome);
}

constexpr CommandOption kInfoOptions[] = {
    CommandOption{Takes::text, "edge", "FROM:TO", "Show only the values that flow from one node or module to another."}.excluding(
        "tensor"),
    {Takes::text, "tensor", "NAME", "Show only the properties and statistics of one parameter, buffer, or constant."},
    CommandOption{Takes::output, "save-npy", "FILE", "With --tensor: NumPy file (.npy) for its elements."}.needing("tensor"),
    CommandOption{Takes::number, "depth", "N", "Maximum depth of listed modules, 0 to 1000. Default: 2."}.usually("2").between(
        0, kMaxDepth),
};

Result<Outcome> runInfo(const Invocation& invocation)
{
    SUNDER_TRY(const Program program, readInput(invocation, invocation.files[0]));
    if (invocation.isSet("edge"))
        return edgeOutcome(program, invocation.value("edge"));
    if (invocation.isSet("tensor"))
        return tensorOutcome(invocation, program, invocation.value("tensor"));
    const Counts counts = countNodes(program);
    Held held{programSizes(program), graphInterface(program, program.root), sizeAssumptions(program), moduleSummaries(program),
              invocation.number("depth")};
    std::erase_if(held.interface.inputs, [](const Port& input) { return input.inputKind != InputKind::user; });
    Outcome outcome{.json = infoJson(program, counts, held)};
    say(invocation.files[0], program, counts, held, outcome);
    return outcome;
}

} // namespace

Command infoCommand()
{
    return {"info", "IN", "Show the contents of a model file.", joined({kInfoOptions}), runInfo};
}

} // namespace sunder::cli
