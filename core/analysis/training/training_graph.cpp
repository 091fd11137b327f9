// The sweep relies on one property: of all ready functions, autograd's engine runs the one recorded last, and any waiting
// function is older than those it waits for. Along the backward pass, the corresponding forward calls therefore never get later,
// and the latest remaining candidate is never earlier than the right call. See docs/training-graphs.md.

#include "analysis/training/training_graph.h"

#include "ir/getitem.h"
#include "ir/program.h"
#include "ir/tensor_meta.h"
#include "support/json_tape.h"
#include "support/progress_monitor.h"

#include <algorithm>
#include <charconv>
#include <cstdint>
#include <map>
#include <optional>
#include <unordered_map>
#include <vector>

namespace sunder {
namespace {

/// The marks of PyTorch's AOTAutograd on a node of a joint program.
struct TrainingMark {
    std::optional<std::int64_t> sequence; ///< `seq_nr`: equal for a forward call and its backward calls
    std::optional<bool> isBackward;       ///< `partitioner_tag`, `autograd_backward`
    bool isSum = false; ///< `is_gradient_acc`: sums gradients; its sequence number is that of an earlier call
};

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

void readMember(JsonValue key, TrainingMark& mark)
{
    const std::string_view name = key.text();
    const JsonValue given = key.memberValue();
    if (given.is(JsonType::object) || given.is(JsonType::array))
        return;
    const std::string value = given.is(JsonType::string) ? std::string(given.text()) : given.raw();
    if (name == "seq_nr") {
        std::int64_t number = 0;
        if (std::from_chars(value.data(), value.data() + value.size(), number).ec == std::errc())
            mark.sequence = number;
    } else if (name == "partitioner_tag") {
        mark.isBackward = value.find("backward") != std::string::npos;
    } else if ((name == "autograd_backward" || name == "is_gradient_acc") && (value == "true" || value == "True")) {
        (name == "is_gradient_acc" ? mark.isSum : mark.isBackward.emplace()) = true;
    }
}

/// Returns the marks of a node; empty if it has none. O(length of its metadata).
TrainingMark trainingMark(const Node& node)
{
    TrainingMark mark;
    const std::string_view marks = node.meta.json.view();
    if (marks.empty())
        return mark;
    const auto contains = [marks](std::string_view key) { return marks.find(key) != std::string_view::npos; };
    if (!contains("seq_nr") && !contains("partitioner_tag") && !contains("autograd_backward"))
        return mark; // the case for nearly all nodes of nearly all files
    constexpr unsigned kMaxMarkDepth = 512;
    JsonTape tape;
    if (!tape.parseOfPython(marks, kMaxMarkDepth) || !tape.root().is(JsonType::object))
        return {};
    for (JsonValue key = tape.root().firstItem(); key; key = key.nextMember())
        readMember(key, mark);
    return mark;
}

/// Returns, per NodeId of the root graph, 1 for a call of the backward pass; empty if the program is not a joint one. `marks`:
/// per NodeId. O(nodes + arguments).
std::vector<std::uint8_t> backwardPass(const Program& program, const std::vector<TrainingMark>& marks)
{
    const Graph& graph = program.rootGraph();
    if (std::ranges::any_of(marks, [](const TrainingMark& mark) { return mark.isBackward.value_or(false); }))
        return byMarks(graph, marks);
    return program.signature ? behindLoss(program) : fromTangents(graph);
}

using Position = std::uint32_t;
constexpr Position kNoPlace = 0xffffffffU;

/// Positions of forward calls, ascending, queried for the latest one up to a bound. The bound never rises, so all queries
/// together visit each position once.
struct Candidates {
    std::vector<Position> places;

    Position latest(Position bound)
    {
        while (!places.empty() && places.back() > bound)
            places.pop_back();
        return places.empty() ? kNoPlace : places.back();
    }
};

class BackwardSweep {
public:
    BackwardSweep(const Program& program, const std::vector<TrainingMark>& marks, TrainingGraph& out, ProgressMonitor& monitor)
        : m_steps(monitor), m_program(program), m_graph(program.rootGraph()), m_marks(marks), m_out(out),
          m_order(m_graph.order()), m_placeOf(m_graph.positions()), m_belongs(m_graph.idBound(), kNoPlace),
          m_near(m_graph.idBound()), m_sharesNothing(m_graph.idBound(), 0)
    {
    }

    Result<void> run()
    {
        SUNDER_PROPAGATE(findForward());
        findGradients();
        for (const NodeId id : m_order) {
            SUNDER_PROPAGATE(m_steps.step());
            if (m_out.isBackwardCall(id))
                place(id);
        }
        SUNDER_PROPAGATE(placeWhatFollows());
        for (const NodeId id : m_order)
            if (m_out.isBackwardCall(id))
                m_out.forwardOf[id.index()] = m_order[m_belongs[id.index()]];
        return {};
    }

private:
    Result<void> findForward()
    {
        for (const NodeId id : m_order) {
            SUNDER_PROPAGATE(m_steps.step());
            const Node& node = m_graph[id];
            if (!node.isCall() || m_out.isBackwardCall(id))
                continue;
            const Position at = m_placeOf[id.index()];
            m_bound = at;
            m_near[id.index()].places.push_back(at);
            for (const NodeId input : m_graph.inputs(id))
                m_near[input.index()].places.push_back(at);
            if (const auto sequence = m_marks[id.index()].sequence)
                m_bySequence[*sequence] = at;
            // only stacks in the file: inferred stacks depend on the results of this analysis
            if (const StackId stack = m_program.statedStack(node))
                m_byStack[stack].places.push_back(at);
        }
        return {};
    }

    /// Assigns gradients to the calls that read the parameter.
    void findGradients()
    {
        const NodeId output = m_graph.output();
        if (!m_program.signature || !output || m_graph[output].args.empty() || !m_graph[output].args.front().isCompound())
            return;
        std::unordered_map<InternedString, NodeId> placeholderOf;
        std::size_t next = 0;
        const std::vector<InputSpec>& inputs = m_program.signature->inputs;
        for (const NodeId id : m_order)
            if (m_graph[id].op == Op::placeholder && next < inputs.size())
                if (const InputSpec& input = inputs[next++]; input.kind == InputKind::parameter)
                    placeholderOf.emplace(input.target, id);
        const auto results = m_graph[output].args.front().items();
        const std::vector<OutputSpec>& specs = m_program.signature->outputs;
        for (std::size_t i = 0; i < std::min(results.size(), specs.size()); ++i)
            if (specs[i].kind == OutputKind::gradient && results[i].is(ArgumentKind::node))
                if (const auto found = placeholderOf.find(specs[i].target); found != placeholderOf.end())
                    m_gradientOf[results[i].asNode()] = found->second;
    }

    void place(NodeId id)
    {
        const Node& node = m_graph[id];
        const std::size_t at = id.index();
        if (isGetitem(node) && !node.args.empty() && node.args[0].is(ArgumentKind::node)
            && m_belongs[node.args[0].asNode().index()] != kNoPlace) {
            m_belongs[at] = m_belongs[node.args[0].asNode().index()];
            return;
        }
        Position found = kNoPlace;
        if (const Position named = sequencePlace(id); named != kNoPlace) {
            found = std::min(named, m_bound);
            ++m_out.bySequence;
        } else if (!m_marks[at].isSum) {
            found = shared(id);
            m_sharesNothing[at] = found == kNoPlace ? 1 : 0;
        }
        m_bound = std::min(found, m_bound);
        m_belongs[at] = m_bound;
    }

    [[nodiscard]] Position sequencePlace(NodeId id) const
    {
        const TrainingMark& mark = m_marks[id.index()];
        if (!mark.sequence || mark.isSum)
            return kNoPlace;
        const auto found = m_bySequence.find(*mark.sequence);
        return found == m_bySequence.end() ? kNoPlace : found->second;
    }

    /// No candidate is earlier than the right call, so the earliest one among all shared values is the closest.
    Position shared(NodeId id)
    {
        if (const StackId stack = m_program.statedStack(m_graph[id]))
            if (const auto same = m_byStack.find(stack); same != m_byStack.end())
                return same->second.latest(m_bound);
        Position found = kNoPlace;
        for (const NodeId input : m_graph.inputs(id))
            found = std::min(found, m_near[input.index()].latest(m_bound));
        if (const auto gradient = m_gradientOf.find(id); gradient != m_gradientOf.end())
            found = std::min(found, m_near[gradient->second.index()].latest(m_bound));
        return found;
    }

    /// A call that shares nothing and outputs more bytes than it takes is assigned with its consumer, so that the smaller value
    /// crosses the boundary.
    Result<void> placeWhatFollows()
    {
        Position next = kNoPlace;
        for (auto at = m_order.rbegin(); at != m_order.rend(); ++at) {
            SUNDER_PROPAGATE(m_steps.step());
            if (!m_out.isBackwardCall(*at))
                continue;
            Position& mine = m_belongs[at->index()];
            if (m_sharesNothing[at->index()] != 0 && next != kNoPlace && growsBytes(*at))
                mine = next;
            next = mine;
        }
        return {};
    }

    [[nodiscard]] bool growsBytes(NodeId id) const
    {
        const auto bytes = [this](NodeId of) { return m_graph[of].meta.val ? byteSize(*m_graph[of].meta.val).value_or(0) : 0; };
        std::uint64_t taken = 0;
        for (const NodeId input : m_graph.inputs(id))
            taken += bytes(input);
        return bytes(id) > taken;
    }

    StepMonitor m_steps;
    const Program& m_program;
    const Graph& m_graph;
    const std::vector<TrainingMark>& m_marks;
    TrainingGraph& m_out;
    std::vector<NodeId> m_order;
    std::vector<Position> m_placeOf;
    std::vector<Position> m_belongs; ///< per NodeId of a backward call: position of its forward call
    std::vector<Candidates> m_near; ///< per NodeId: positions of forward calls that produce or consume the value
    std::vector<std::uint8_t> m_sharesNothing; ///< per NodeId
    std::unordered_map<std::int64_t, Position> m_bySequence;
    std::map<StackId, Candidates> m_byStack;
    std::unordered_map<NodeId, NodeId> m_gradientOf; ///< placeholder of the parameter
    Position m_bound = 0;
};

} // namespace

TrainingGraph trainingGraph(const Program& program)
{
    return *trainingGraph(program, ProgressMonitor::none());
}

Result<TrainingGraph> trainingGraph(const Program& program, ProgressMonitor& monitor)
{
    const Graph& graph = program.rootGraph();
    std::vector<TrainingMark> marks(graph.idBound());
    StepMonitor steps(monitor);
    for (const NodeId id : graph.nodes()) {
        SUNDER_PROPAGATE(steps.step());
        marks[id.index()] = trainingMark(graph[id]);
    }
    TrainingGraph out{.isBackward = backwardPass(program, marks)};
    for (const NodeId id : graph.nodes()) {
        SUNDER_PROPAGATE(steps.step());
        if (graph[id].isCall())
            ++(out.isBackwardCall(id) ? out.backwardCalls : out.forwardCalls);
    }
    if (!out.isTraining())
        return TrainingGraph{};
    out.forwardOf.resize(graph.idBound());
    SUNDER_PROPAGATE(BackwardSweep(program, marks, out, monitor).run());
    return out;
}

} // namespace sunder
