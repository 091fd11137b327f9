// The sweep relies on one property: of all ready functions, autograd's engine runs the one recorded last, and any waiting
// function is older than those it waits for. Along the backward pass, the corresponding forward calls therefore never get later,
// and the latest remaining candidate is never earlier than the right call. See docs/training-graphs.md.
#include "analysis/training/training_graph.h"

#include "analysis/training/backward_pass.h"
#include "ir/getitem.h"
#include "ir/tensor_meta.h"
#include "support/step_monitor.h"

#include <algorithm>
#include <map>
#include <unordered_map>

namespace sunder {
namespace {

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

    /// Returns false after cancellation.
    bool run()
    {
        if (!lookAtForward())
            return false;
        lookAtGradients();
        for (const NodeId id : m_order) {
            if (!m_steps.shouldContinue())
                return false;
            if (m_out.isBackwardCall(id))
                place(id);
        }
        if (!placeWhatFollows())
            return false;
        for (const NodeId id : m_order)
            if (m_out.isBackwardCall(id))
                m_out.forwardOf[id.index()] = m_order[m_belongs[id.index()]];
        return true;
    }

private:
    bool lookAtForward()
    {
        for (const NodeId id : m_order) {
            if (!m_steps.shouldContinue())
                return false;
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
        return true;
    }

    /// Assigns gradients to the calls that read the parameter.
    void lookAtGradients()
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
    bool placeWhatFollows()
    {
        Position next = kNoPlace;
        for (auto at = m_order.rbegin(); at != m_order.rend(); ++at) {
            if (!m_steps.shouldContinue())
                return false;
            if (!m_out.isBackwardCall(*at))
                continue;
            Position& mine = m_belongs[at->index()];
            if (m_sharesNothing[at->index()] != 0 && next != kNoPlace && growsBytes(*at))
                mine = next;
            next = mine;
        }
        return true;
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

TrainingGraph trainingGraph(const Program& program, ProgressMonitor& monitor)
{
    const Graph& graph = program.rootGraph();
    std::vector<TrainingMark> marks(graph.idBound());
    StepMonitor steps(monitor);
    for (const NodeId id : graph.nodes()) {
        if (!steps.shouldContinue())
            return {};
        marks[id.index()] = trainingMark(graph[id]);
    }
    TrainingGraph out{.isBackward = backwardPass(program, marks)};
    for (const NodeId id : graph.nodes()) {
        if (!steps.shouldContinue())
            return {};
        if (graph[id].isCall())
            ++(out.isBackwardCall(id) ? out.backwardCalls : out.forwardCalls);
    }
    if (!out.isTraining())
        return {};
    out.forwardOf.resize(graph.idBound());
    return BackwardSweep(program, marks, out, monitor).run() ? out : TrainingGraph{};
}

} // namespace sunder
