#include "analysis/training/backward_pass.h"

#include "support/json_scanner.h"

#include <algorithm>
#include <charconv>

namespace sunder {
namespace {

constexpr std::string_view kTangents = "tangents_";

std::vector<NodeId> resultsOf(const Graph& graph)
{
    std::vector<NodeId> results;
    const NodeId output = graph.output();
    if (!output || graph[output].args.empty())
        return results;
    const Argument& result = graph[output].args.front();
    const Arguments items = result.isCompound() ? Arguments(result.items().begin(), result.items().end()) : Arguments{result};
    for (const Argument& item : items)
        results.push_back(item.is(ArgumentKind::node) ? item.asNode() : NodeId());
    return results;
}

/// Per NodeId: 1 for the calls that these results depend on.
std::vector<std::uint8_t> neededBy(const Graph& graph, std::vector<NodeId> open)
{
    std::vector<std::uint8_t> needed(graph.idBound(), 0);
    while (!open.empty()) {
        const NodeId id = open.back();
        open.pop_back();
        if (!id || needed[id.index()] != 0)
            continue;
        needed[id.index()] = 1;
        for (const NodeId input : graph.inputs(id))
            open.push_back(input);
    }
    return needed;
}

std::vector<std::uint8_t> byMarks(const Graph& graph, const std::vector<TrainingMark>& marks)
{
    std::vector<std::uint8_t> found(graph.idBound(), 0);
    for (const NodeId id : graph.nodes()) {
        if (!graph[id].isCall())
            continue;
        const auto isFound = [&found](NodeId input) { return found[input.index()] != 0; };
        const auto inputs = graph.inputs(id);
        const bool isBackward = marks[id.index()].isBackward.value_or(std::any_of(inputs.begin(), inputs.end(), isFound));
        found[id.index()] = isBackward ? 1 : 0;
    }
    return found;
}

/// Finds calls from `begins` on that no forward result depends on.
std::vector<std::uint8_t> notNeededFrom(const Graph& graph, NodeId begins, const std::vector<NodeId>& forwardResults)
{
    const std::vector<std::uint8_t> isForward = neededBy(graph, forwardResults);
    std::vector<std::uint8_t> found(graph.idBound(), 0);
    bool isBehind = false;
    for (const NodeId id : graph.nodes()) {
        isBehind = isBehind || id == begins;
        if (isBehind && graph[id].isCall() && isForward[id.index()] == 0)
            found[id.index()] = 1;
    }
    return found;
}

/// Uses the signature, which identifies the loss and the gradients.
std::vector<std::uint8_t> behindLoss(const Program& program)
{
    const Graph& graph = program.rootGraph();
    const std::vector<NodeId> results = resultsOf(graph);
    const std::vector<OutputSpec>& specs = program.signature->outputs;
    NodeId loss;
    bool hasGradient = false;
    std::vector<NodeId> forwardResults;
    for (std::size_t i = 0; i < std::min(results.size(), specs.size()); ++i) {
        hasGradient = hasGradient || specs[i].kind == OutputKind::gradient;
        if (specs[i].kind == OutputKind::loss)
            loss = results[i];
        if (specs[i].kind != OutputKind::gradient)
            forwardResults.push_back(results[i]);
    }
    return loss && hasGradient ? notNeededFrom(graph, loss, forwardResults) : std::vector<std::uint8_t>();
}

/// Without marks and signature, uses the names that AOTAutograd gives to the gradients of the results (tangents).
std::vector<std::uint8_t> fromTangents(const Graph& graph)
{
    std::vector<std::uint8_t> reached(graph.idBound(), 0);
    NodeId first;
    for (const NodeId id : graph.nodes()) {
        const Node& node = graph[id];
        if (node.op == Op::placeholder)
            reached[id.index()] = node.name.view().starts_with(kTangents) ? 1 : 0;
        for (const NodeId input : graph.inputs(id))
            if (node.isCall() && reached[input.index()] != 0)
                reached[id.index()] = 1;
        if (!first && node.isCall() && reached[id.index()] != 0)
            first = id;
    }
    std::vector<NodeId> forwardResults;
    for (const NodeId result : resultsOf(graph))
        if (result && reached[result.index()] == 0)
            forwardResults.push_back(result);
    const std::vector<std::uint8_t> isForward = neededBy(graph, forwardResults);
    while (first && graph.previous(first) && graph[graph.previous(first)].isCall()
           && isForward[graph.previous(first).index()] == 0)
        first = graph.previous(first); // include backward calls before the first use of a tangent
    return first ? notNeededFrom(graph, first, forwardResults) : std::vector<std::uint8_t>();
}

bool readMember(JsonScanner& json, const std::string& key, TrainingMark& mark)
{
    const bool isOne = key == "seq_nr" || key == "autograd_backward" || key == "is_gradient_acc" || key == "partitioner_tag";
    if (!isOne)
        return json.skip();
    std::string value;
    if (!(json.isAtString() ? json.string(value) : json.word(value)))
        return json.skip();
    if (key == "seq_nr") {
        std::int64_t number = 0;
        if (std::from_chars(value.data(), value.data() + value.size(), number).ec == std::errc())
            mark.sequence = number;
    } else if (key == "partitioner_tag") {
        mark.isBackward = value.find("backward") != std::string::npos;
    } else if (value == "true" || value == "True") {
        (key == "is_gradient_acc" ? mark.isSum : mark.isBackward.emplace()) = true;
    }
    return true;
}

} // namespace

TrainingMark trainingMark(const Node& node)
{
    TrainingMark mark;
    const std::string_view said = node.meta.json.view();
    if (said.empty())
        return mark;
    const auto says = [said](std::string_view key) { return said.find(key) != std::string_view::npos; };
    if (!says("seq_nr") && !says("partitioner_tag") && !says("autograd_backward"))
        return mark; // the case for nearly all nodes of nearly all files
    JsonScanner json(said);
    if (!json.members([&](const std::string& key) { return readMember(json, key, mark); }))
        return {};
    return mark;
}

std::vector<std::uint8_t> backwardPass(const Program& program, const std::vector<TrainingMark>& marks)
{
    const Graph& graph = program.rootGraph();
    if (std::ranges::any_of(marks, [](const TrainingMark& mark) { return mark.isBackward.value_or(false); }))
        return byMarks(graph, marks);
    return program.signature ? behindLoss(program) : fromTangents(graph);
}

} // namespace sunder
