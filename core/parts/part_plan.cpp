#include "parts/part_plan.h"

#include "analysis/legality/handed_values.h"
#include "analysis/legality/order_dependencies.h"
#include "analysis/tag_legality.h"
#include "ir/forward_inputs.h"

#include <algorithm>
#include <utility>

namespace sunder {
namespace {

constexpr std::int32_t kNone = -1;

class PartPlanner {
public:
    PartPlanner(const Program& source, const SplitResult& split)
        : m_source(source), m_graph(source.rootGraph()), m_split(split), m_inputOf(signatureInputs(source)),
          m_written(writtenPlaceholders(source)), m_handed(handedValues(source, orderDependencies(source).written))
    {
        const std::size_t parts = split.parts.size();
        m_plan.partOf.assign(m_graph.idBound(), kNone);
        m_plan.calls.resize(parts);
        m_plan.inputs.resize(parts);
        m_plan.lifted.resize(parts);
        m_plan.outputs.resize(parts);
        m_plan.writes.resize(parts);
        m_takenBy.assign(m_graph.idBound(), kNone);
        m_isGiven.assign(m_graph.idBound(), 0);
        m_position = m_graph.positions();
    }

    Result<PartPlan> run()
    {
        readParts();
        keepItemsWithTheirCall();
        for (const NodeId id : m_graph.nodes())
            if (const std::int32_t part = m_plan.partOf[id.index()]; part != kNone)
                m_plan.calls[static_cast<std::size_t>(part)].push_back(id);
        for (std::size_t part = 0; part < m_plan.calls.size(); ++part)
            SUNDER_PROPAGATE(collectInputs(part));
        SUNDER_PROPAGATE(collectResults());
        for (std::size_t part = 0; part < m_plan.calls.size(); ++part)
            sortByPosition(part);
        return std::move(m_plan);
    }

private:
    /// Reads the part of each op from the identity map. Ignores counterparts in graphs other than those of parts.
    void readParts()
    {
        std::vector<std::int32_t> partOfGraph(m_split.program.graphs.size(), kNone);
        for (std::size_t i = 0; i < m_split.parts.size(); ++i)
            partOfGraph[m_split.parts[i].index()] = static_cast<std::int32_t>(i);
        for (const IdentityMap::Pair& pair : m_split.map.pairs())
            if (pair.source.graph == m_source.root && !pair.created && m_graph.node(pair.source.node).isCall()
                && partOfGraph[pair.result.graph.index()] != kNone)
                m_plan.partOf[pair.source.node.index()] = partOfGraph[pair.result.graph.index()];
    }

    void keepItemsWithTheirCall()
    {
        for (const NodeId id : m_graph.nodes())
            m_plan.partOf[id.index()] = m_plan.partOf[m_handed.owners[id.index()].index()];
    }

    /// Collects the inputs of a part's ops. The list of ops grows by those that the part recomputes.
    Result<void> collectInputs(std::size_t part)
    {
        for (std::size_t i = 0; i < m_plan.calls[part].size(); ++i) {
            const NodeId call = m_plan.calls[part][i];
            for (const NodeId input : m_graph.inputs(call))
                if (const Result<void> taken = take(input, call, part); !taken)
                    return taken;
        }
        return {};
    }

    Result<void> take(NodeId value, NodeId user, std::size_t part)
    {
        const auto here = static_cast<std::int32_t>(part);
        if (m_plan.partOf[value.index()] == here || m_takenBy[value.index()] == here)
            return {};
        m_takenBy[value.index()] = here;
        const Node& node = m_graph.node(value);
        if (node.op == Op::placeholder) {
            (isLifted(value) ? m_plan.lifted : m_plan.inputs)[part].push_back(value);
            return {};
        }
        if (node.op == Op::getAttr) {
            m_plan.calls[part].push_back(value);
            return {};
        }
        if (m_plan.partOf[value.index()] == kNone)
            return inNoPart(value);
        switch (m_handed.handings[value.index()]) {
        case Handing::passes:
            m_plan.inputs[part].push_back(value);
            give(value);
            return {};
        case Handing::again: m_plan.calls[part].push_back(value); return {};
        case Handing::never: break;
        }
        const TagAssignment tags{.order = m_split.partNames, .tagOf = m_plan.partOf};
        return fail(ErrorCode::refused, describe(BoundCrossing{value, user, m_plan.partOf[value.index()], here}, m_source, tags),
                    {.node = node.name.str(), .other = m_graph.node(user).name.str()});
    }

    [[nodiscard]] Result<void> inNoPart(NodeId value) const
    {
        return fail(ErrorCode::refused, m_graph.node(value).name.str() + " is in no part of the split",
                    {.node = m_graph.node(value).name.str()});
    }

    void give(NodeId value)
    {
        if (std::exchange(m_isGiven[value.index()], char{1}) == 0)
            m_plan.outputs[static_cast<std::size_t>(m_plan.partOf[value.index()])].push_back(value);
    }

    /// Assigns results and writes of the whole program to the part that computes the value; parameters to the last part.
    Result<void> collectResults()
    {
        const std::span<const Argument> results = flatResults(m_graph);
        const std::vector<OutputSpec>& specs = m_source.signature->outputs;
        for (std::size_t i = 0; i < results.size() && !m_plan.calls.empty(); ++i) {
            if (!results[i].is(ArgumentKind::node))
                continue;
            const NodeId value = results[i].asNode();
            const OutputKind kind = i < specs.size() ? specs[i].kind : OutputKind::user;
            const bool isGiven = kind == OutputKind::user || kind == OutputKind::loss || kind == OutputKind::gradient;
            const Result<void> done = isGiven ? collectResult(value) : collectWrite(value, static_cast<std::uint32_t>(i));
            if (!done)
                return done;
        }
        return {};
    }

    Result<void> collectResult(NodeId value)
    {
        const Node& node = m_graph.node(value);
        const std::size_t last = m_plan.calls.size() - 1;
        if (node.isCall() && returnsSeveral(node))
            return fail(ErrorCode::refused,
                        describe(BoundCrossing{value, {}, m_plan.partOf[value.index()]}, m_source,
                                 {.order = m_split.partNames, .tagOf = m_plan.partOf}),
                        {.node = node.name.str()});
        if (node.isCall() && m_plan.partOf[value.index()] == kNone)
            return inNoPart(value);
        if (node.isCall())
            give(value);
        else if (isLifted(value) && std::exchange(m_isGiven[value.index()], char{1}) == 0) {
            addOnce(m_plan.lifted[last], value);
            m_plan.outputs[last].push_back(value);
        }
        return {};
    }

    /// Assigns a write to the part that computes the value. That part also takes the written tensor as an input.
    Result<void> collectWrite(NodeId value, std::uint32_t entry)
    {
        const bool isComputed = m_graph.node(value).isCall();
        if (isComputed && m_plan.partOf[value.index()] == kNone)
            return inNoPart(value);
        const std::size_t part = isComputed ? static_cast<std::size_t>(m_plan.partOf[value.index()]) : m_plan.calls.size() - 1;
        if (!isComputed)
            addOnce((isLifted(value) ? m_plan.lifted : m_plan.inputs)[part], value);
        m_plan.writes[part].push_back(entry);
        if (const NodeId written = m_written[entry])
            addOnce((isLifted(written) ? m_plan.lifted : m_plan.inputs)[part], written);
        return {};
    }

    static void addOnce(std::vector<NodeId>& to, NodeId value)
    {
        if (std::find(to.begin(), to.end(), value) == to.end())
            to.push_back(value);
    }

    [[nodiscard]] bool isLifted(NodeId placeholder) const
    {
        const std::int32_t at = m_inputOf[placeholder.index()];
        return at != kNone && m_source.signature->inputs[static_cast<std::size_t>(at)].kind != InputKind::user;
    }

    void sortByPosition(std::size_t part)
    {
        const auto before = [this](NodeId a, NodeId b) { return m_position[a.index()] < m_position[b.index()]; };
        std::sort(m_plan.calls[part].begin(), m_plan.calls[part].end(), before);
        std::sort(m_plan.inputs[part].begin(), m_plan.inputs[part].end(), before);
        std::sort(m_plan.lifted[part].begin(), m_plan.lifted[part].end(),
                  [&](NodeId a, NodeId b) { return m_inputOf[a.index()] < m_inputOf[b.index()]; });
        std::sort(m_plan.outputs[part].begin(), m_plan.outputs[part].end(), before);
    }

    const Program& m_source;
    const Graph& m_graph;
    const SplitResult& m_split;
    std::vector<std::int32_t> m_inputOf;
    std::vector<NodeId> m_written; ///< per output of the signature: the placeholder that is written to
    HandedValues m_handed;
    std::vector<std::int32_t> m_takenBy; ///< per NodeId: the last part that took it
    std::vector<char> m_isGiven;
    std::vector<std::uint32_t> m_position;
    PartPlan m_plan;
};

} // namespace

std::vector<std::int32_t> signatureInputs(const Program& program)
{
    std::vector<std::int32_t> entries(program.rootGraph().idBound(), kNone);
    std::int32_t next = 0;
    for (const NodeId id : program.rootGraph().nodes())
        if (program.rootGraph().node(id).op == Op::placeholder && program.signature
            && static_cast<std::size_t>(next) < program.signature->inputs.size())
            entries[id.index()] = next++;
    return entries;
}

Result<PartPlan> planParts(const Program& source, const SplitResult& split)
{
    if (!source.signature)
        return fail(ErrorCode::refused, "the program has no export signature");
    return PartPlanner(source, split).run();
}

} // namespace sunder
