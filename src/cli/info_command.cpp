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

#include <algorithm>
#include <array>
#include <map>
#include <ranges>

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

/// Writes the members of a value.
void write(const Graph& graph, const ValueBetween& value, JsonWriter& json)
{
    const Node& node = graph[value.value];
    json.member("name", node.name.view());
    json.member("producer", graph[value.producer].name.view());
    if (value.item)
        json.member("item", *value.item);
    if (node.meta.val)
        json.member("type", describeValue(*node.meta.val));
    json.member("bytes", bytesOf(node));
    json.key("readers");
    json.list(value.readers, [&](NodeId reader) { json.value(graph[reader].name.view()); });
    json.member("further_readers", value.further);
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
    JsonWriter& json = outcome.json;
    json.member("from", from);
    json.member("to", to);
    json.key("values");
    std::uint64_t bytes = 0;
    json.list(values, [&](const ValueBetween& value) {
        bytes += bytesOf(graph[value.value]);
        outcome.say(edgeLine(graph, value));
        json.object([&] { write(graph, value, json); });
    });
    json.member("bytes", bytes);
    if (values.size() > 1)
        outcome.say(formatCount(values.size(), "value") + ", " + formatBytes(bytes) + " in total");
    if (!values.empty())
        return outcome;
    const std::string why = whyNoEdge(graph, from, to, makers);
    outcome.status = exitStatus(ErrorCode::refused);
    outcome.say(why);
    json.member("why", why);
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

/// Writes the members of an input or output.
void write(const Port& port, const Graph& graph, JsonWriter& json)
{
    json.member("name", portName(port, graph));
    json.member("type", describeType(port, graph));
    if (port.literal)
        json.member("literal", true);
}

void writeInterface(const GraphInterface& interface, const Graph& graph, JsonWriter& json)
{
    json.key("inputs");
    json.list(interface.inputs, [&](const Port& input) { json.object([&] { write(input, graph, json); }); });
    json.key("outputs");
    json.list(interface.outputs, [&](const Port& output) {
        json.object([&] {
            write(output, graph, json);
            json.member("kind", outputKindName(output.outputKind));
            json.memberIfAny("target", output.target.view());
        });
    });
}

void writeModules(const Held& held, JsonWriter& json)
{
    const auto isListed = [&held](const ModuleSummary& module) { return module.depth <= held.depth; };
    json.key("module_tree");
    json.list(held.modules | std::views::filter(isListed), [&json](const ModuleSummary& module) {
        json.object([&] {
            json.member("path", module.path.view());
            json.member("class", module.cls.view());
            json.member("ops", module.ops);
            json.member("tensors", module.tensors);
            json.member("parameters", module.parameters);
            json.member("bytes", module.bytes);
        });
    });
}

void writeCounts(const Counts& counts, JsonWriter& json)
{
    json.key("ops");
    json.object([&] {
        for (std::size_t i = 0; i < counts.byOp.size(); ++i)
            json.member(name(static_cast<Op>(i)), counts.byOp[i]);
    });
    json.key("targets");
    json.object([&] {
        for (const auto& [target, count] : counts.byTarget)
            json.member(target, count);
    });
}

/// Writes the assumed sizes and the ranges of symbols.
void writeSymbols(const Program& program, const Held& held, JsonWriter& json)
{
    json.key("assumptions");
    json.list(held.assumptions, [&json](const SizeAssumption& each) {
        json.object([&] {
            json.member("symbol", each.symbol.view());
            json.member("value", each.value);
            json.memberIfAny("input", each.input.view());
            if (!each.input.empty() && !each.isInput)
                json.member("dimension", each.dimension);
        });
    });
    json.key("ranges");
    json.object([&] {
        for (const SymbolRange& range : program.ranges)
            json.member(range.symbol.view(), std::array{range.min, range.max});
    });
}

void writeInfo(const Program& program, const Counts& counts, const Held& held, JsonWriter& json)
{
    json.member("format", program.origin.format);
    json.member("torch", program.origin.torch);
    json.member("nodes", program.nodeCount());
    json.member("graphs", program.graphs.size());
    json.member("modules", moduleCount(program, held));
    json.member("tensors", program.tensors.size());
    json.member("tensor_bytes", held.sizes.totalParameterBytes);
    json.member("program_bytes", memoryOf(program));
    json.member("result_bytes", held.sizes.totalOutputBytes);
    writeInterface(held.interface, program.rootGraph(), json);
    writeModules(held, json);
    writeCounts(counts, json);
    writeSymbols(program, held, json);
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
    Outcome outcome;
    writeInfo(program, counts, held, outcome.json);
    say(invocation.files[0], program, counts, held, outcome);
    return outcome;
}

} // namespace

Command infoCommand()
{
    return {"info", "IN", "Show the contents of a model file.", joined({kInfoOptions}), runInfo};
}

} // namespace sunder::cli
