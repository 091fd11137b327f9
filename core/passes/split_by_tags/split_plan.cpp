#include "passes/split_by_tags/split_plan.h"

#include "analysis/tag_legality.h"
#include "support/format.h"
#include "support/progress_monitor.h"

#include <algorithm>
#include <unordered_map>

namespace sunder {
namespace {

/// Visits the nodes once, as PyTorch does, and records parts and crossing values.
class Planner {
public:
    Planner(const Graph& graph, const TagAssignment& tags, ProgressMonitor& monitor)
        : m_graph(graph), m_tags(tags), m_steps(monitor), m_isCrossing(graph.idBound(), 0)
    {
        m_plan.partOf.assign(graph.idBound(), TagAssignment::kUntagged);
    }

    Result<SplitPlan> run()
    {
        findLastPlaces();
        for (const NodeId id : m_graph.nodes())
            SUNDER_PROPAGATE(visit(id));
        if (!m_plan.output)
            return fail(ErrorCode::refused, "the graph has no output node");
        // PyTorch only uses the first argument of the output.
        const Arguments& results = m_graph.node(m_plan.output).args;
        if (!results.empty())
            forEachNode(results.front(), [this](NodeId value) {
                if (m_graph.node(value).op != Op::getAttr)
                    needOutside(value);
            });
        group();
        return std::move(m_plan);
    }

private:
    /// For a duplicate tag, the last occurrence is used.
    void findLastPlaces()
    {
        std::unordered_map<InternedString, std::uint32_t> last;
        for (std::size_t i = 0; i < m_tags.order.size(); ++i)
            last[m_tags.order[i]] = static_cast<std::uint32_t>(i);
        m_plan.lastPlace.reserve(m_tags.order.size());
        for (const InternedString tag : m_tags.order)
            m_plan.lastPlace.push_back(last[tag]);
    }

    Result<void> visit(NodeId id)
    {
        SUNDER_PROPAGATE(m_steps.step());
        const Node& node = m_graph.node(id);
        if (node.op == Op::output) {
            if (m_plan.output)
                return fail(ErrorCode::refused,
                            "the graph has two outputs: " + m_graph.node(m_plan.output).name.str() + " and " + node.name.str(),
                            {.node = node.name.str(), .other = m_graph.node(m_plan.output).name.str()});
            m_plan.output = id;
        }
        if (node.op == Op::placeholder)
            m_plan.placeholders.push_back(id);
        if (node.op == Op::callModule || node.op == Op::getAttr)
            m_plan.targeting.push_back(id);
        return node.isCall() ? visitCall(id) : Result<void>();
    }

    Result<void> visitCall(NodeId id)
    {
        const std::int32_t tag = m_tags[id];
        if (tag < 0 || static_cast<std::size_t>(tag) >= m_plan.lastPlace.size())
            return failWithoutTag(id);
        const auto part = static_cast<std::int32_t>(m_plan.lastPlace[static_cast<std::size_t>(tag)]);
        m_plan.partOf[id.index()] = part;
        m_calls.push_back(id);
        NodeId latest;
        for (const NodeId input : m_graph.inputs(id)) {
            const std::int32_t from = m_plan.partOf[input.index()];
            if (from == TagAssignment::kUntagged && !m_graph.node(input).isCall())
                continue;
            if (from == TagAssignment::kUntagged || input == id)
                return failNotComputed(id, input);
            if (!latest || from > m_plan.partOf[latest.index()])
                latest = input;
            if (from != part)
                needOutside(input);
        }
        if (latest && m_plan.partOf[latest.index()] > part)
            return failBackwards(id, latest);
        return {};
    }

    void needOutside(NodeId value)
    {
        if (!m_graph.node(value).isCall() || m_isCrossing[value.index()] != 0)
            return;
        m_isCrossing[value.index()] = 1;
        m_plan.crossing.push_back(value);
    }

    tl::unexpected<Error> failWithoutTag(NodeId id) const
    {
        const std::string name = m_graph.node(id).name.str();
        for (const auto& [stranger, tag] : m_tags.unknownTags)
            if (stranger == id)
                return fail(ErrorCode::refused,
                            name + " has the tag " + tag.str() + ", which is not among the "
                                + formatCount(m_tags.order.size(), "tag") + " of the order",
                            {.node = name, .other = tag.str()});
        std::size_t more = 0;
        for (NodeId next = m_graph.next(id); next; next = m_graph.next(next))
            more += m_graph.node(next).isCall() && m_tags[next] == TagAssignment::kUntagged ? 1 : 0;
        return fail(ErrorCode::refused,
                    name + (more > 0 ? " and " + formatCount(more, "later op") + " have" : " has")
                        + " no tag; every op needs one",
                    {.node = name});
    }

    tl::unexpected<Error> failNotComputed(NodeId id, NodeId input) const
    {
        const std::string name = m_graph.node(id).name.str();
        const std::string other = m_graph.node(input).name.str();
        return fail(ErrorCode::refused, name + " uses " + other + " before it is computed", {.node = name, .other = other});
    }

    tl::unexpected<Error> failBackwards(NodeId id, NodeId input) const
    {
        const BackwardEdge edge{input, id, m_plan.partOf[input.index()], m_plan.partOf[id.index()]};
        return fail(ErrorCode::refused, describe(edge, m_graph, m_tags),
                    {.node = m_graph.node(id).name.str(), .other = m_graph.node(input).name.str()});
    }

    void group()
    {
        m_plan.begin.assign(m_tags.order.size() + 1, 0);
        for (const NodeId id : m_calls)
            ++m_plan.begin[static_cast<std::size_t>(m_plan.partOf[id.index()]) + 1];
        for (std::size_t i = 1; i < m_plan.begin.size(); ++i)
            m_plan.begin[i] += m_plan.begin[i - 1];
        std::vector<std::uint32_t> next(m_plan.begin.begin(), m_plan.begin.end() - 1);
        m_plan.calls.resize(m_calls.size());
        for (const NodeId id : m_calls)
            m_plan.calls[next[static_cast<std::size_t>(m_plan.partOf[id.index()])]++] = id;
    }

    const Graph& m_graph;
    const TagAssignment& m_tags;
    StepMonitor m_steps;
    SplitPlan m_plan;
    std::vector<NodeId> m_calls;           ///< in graph order
    std::vector<char> m_isCrossing;        ///< per NodeId
};

} // namespace

Result<SplitPlan> planSplit(const Graph& graph, const TagAssignment& tags, ProgressMonitor& monitor)
{
    return Planner(graph, tags, monitor).run();
}

} // namespace sunder
