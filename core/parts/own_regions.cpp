#include "parts/own_regions.h"

#include <algorithm>
#include <vector>

namespace sunder {
namespace {

using Kind = GlobalSetter::Kind;

class RegionGiver {
public:
    RegionGiver(Graph& graph, const LegalityTables& tables, TagAssignment& tags) : m_graph(graph), m_tables(tables), m_tags(tags)
    {
        ActiveSetters whole(tables.globalSetters);
        m_whole.push_back({});
        for (std::uint32_t setter = 0; setter < tables.setters.size(); ++setter) {
            whole.run(setter);
            m_whole.push_back(whole.now());
            std::erase_if(m_whole.back(), [&](std::uint32_t one) { return tables.globalSetters[one].kind == Kind::other; });
        }
    }

    void run()
    {
        m_parts.resize(m_tags.order.size());
        for (std::uint32_t call = 0; call < m_tables.callCount(); ++call)
            if (m_tags[m_tables.nodes[call]] >= 0 && m_tables.noticesState[call] != 0)
                settle(call);
        const NodeId output = m_graph.output();
        for (std::size_t part = 0; part < m_parts.size(); ++part)
            leaveAll(static_cast<std::int32_t>(part), output);
        for (std::uint32_t setter = static_cast<std::uint32_t>(m_tables.setters.size()); setter-- > 0;)
            if (m_tables.globalSetters[setter].kind != Kind::other)
                (void)m_graph.erase(m_tables.globalSetters[setter].node);
    }

private:
    /// A part's own copy of a setter.
    struct Made {
        std::uint32_t setter = 0;
        NodeId node;
    };
    using Part = std::vector<Made>;

    /// Before a call, makes the same setters active in its part as in the whole.
    void settle(std::uint32_t call)
    {
        const NodeId before = m_tables.nodes[call];
        const std::int32_t tag = m_tags[before];
        Part& part = m_parts[static_cast<std::size_t>(tag)];
        const std::vector<std::uint32_t>& wanted = m_whole[m_tables.settersBefore[call]];
        std::size_t kept = 0;
        while (kept < part.size() && kept < wanted.size() && part[kept].setter == wanted[kept])
            ++kept;
        while (part.size() > kept)
            leaveLast(part, tag, before);
        for (std::size_t i = kept; i < wanted.size(); ++i)
            part.push_back({wanted[i], copyOf(m_tables.globalSetters[wanted[i]].node, {}, tag, before)});
    }

    void leaveLast(Part& part, std::int32_t tag, NodeId before)
    {
        const Made made = part.back();
        part.pop_back();
        const GlobalSetter& setter = m_tables.globalSetters[made.setter];
        if (setter.kind == Kind::enter)
            copyOf(m_tables.globalSetters[setter.left].node, made.node, tag, before);
    }

    /// Leaves all regions at the end of a part; grad mode is reset by a copy of the setter that resets it in the whole.
    void leaveAll(std::int32_t tag, NodeId before)
    {
        Part& part = m_parts[static_cast<std::size_t>(tag)];
        bool setsGrad = false;
        while (!part.empty()) {
            const GlobalSetter& setter = m_tables.globalSetters[part.back().setter];
            setsGrad = setsGrad || (setter.kind == Kind::grad && !setter.isOn);
            leaveLast(part, tag, before);
        }
        const std::vector<std::uint32_t>& end = m_whole.back();
        const auto isGrad = [&](std::uint32_t setter) { return m_tables.globalSetters[setter].kind == Kind::grad; };
        if (const auto reset = std::ranges::find_if(end, isGrad); setsGrad && reset != end.end())
            copyOf(m_tables.globalSetters[*reset].node, {}, tag, before);
    }

    /// `entered`: the argument for a setter that leaves a region.
    NodeId copyOf(NodeId setter, NodeId entered, std::int32_t tag, NodeId before)
    {
        const InsertScope scope(m_graph, Graph::InsertPoint::before(before));
        const Node& from = m_graph[setter];
        Arguments args = entered ? Arguments{Argument::node(entered)} : from.args;
        NodeSpec spec{.op = from.op,
                      .name = from.name,
                      .target = from.target,
                      .fn = from.fn,
                      .args = std::move(args),
                      .kwargs = from.kwargs,
                      .type = from.type,
                      .meta = from.meta};
        const NodeId made = m_graph.create(std::move(spec));
        if (m_tags.tagOf.size() <= made.index())
            m_tags.tagOf.resize(made.index() + 1, TagAssignment::kUntagged);
        m_tags.tagOf[made.index()] = tag;
        return made;
    }

    Graph& m_graph;
    const LegalityTables& m_tables;
    TagAssignment& m_tags;
    std::vector<std::vector<std::uint32_t>> m_whole; ///< per number of setters that ran: the active ones, except `other`
    std::vector<Part> m_parts;                       ///< per part: its active setters
};

} // namespace

void giveOwnRegions(Program& program, const LegalityTables& tables, TagAssignment& tags)
{
    RegionGiver(program.rootGraph(), tables, tags).run();
}

} // namespace sunder
