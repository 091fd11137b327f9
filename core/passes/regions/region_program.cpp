#include "passes/regions/region_program.h"

#include "analysis/part_for_drawing.h"
#include "passes/building/subgraph_builder.h"

#include <algorithm>
#include <unordered_map>
#include <unordered_set>

namespace sunder {
namespace {

class Extraction {
public:
    Extraction(const Program& source, const RegionGroup& group)
        : m_source(source.rootGraph()), m_group(group), m_region(group.region(0)), m_inside(m_region.begin(), m_region.end()),
          m_lifted(liftedInputs(source)),
          m_copies(source, {.naming = SubgraphBuilder::Naming::exact}, [](GraphId graph) { return graph; })
    {
        m_result.program.modules = source.modules;
        m_result.program.tensors = source.tensors;
        m_result.program.stacks = source.stacks;
        for (std::size_t i = 0; i < source.graphs.size(); ++i) // keep ids, since nodes may refer to graphs
            m_result.program.graphs.push_back(i == source.root.index() ? Graph() : source.graphs[i]);
        m_result.program.owners = source.owners;
        m_result.program.root = source.root;
        if (source.signature)
            m_result.program.signature.emplace();
    }

    RegionProgram run()
    {
        IdentityMap map;
        m_copies.begin(m_result.program.rootGraph(), m_result.program.root, map);
        for (const NodeId id : m_region)
            for (const NodeId input : m_source.inputs(id))
                if (!m_inside.contains(input) && !m_copies.find(input)) {
                    m_outside.push_back(input);
                    takeFromOutside(input);
                }
        const auto local = [this](NodeId input) { return Argument::node(m_copies.find(input)); };
        for (const NodeId id : m_region)
            m_result.nodes.push_back(m_copies.addOp(id, local));
        giveOut();
        noteShared();
        m_result.within = enclosingModule(m_result.program, m_result.nodes);
        return std::move(m_result);
    }

private:
    void takeFromOutside(NodeId id)
    {
        const Node& node = m_source[id];
        if (node.op == Op::getAttr) {
            m_copies.addAttribute(id);
            return;
        }
        const NodeId input = m_copies.addInput(id, node.name);
        if (!m_result.program.signature)
            return;
        const auto spec = node.op == Op::placeholder ? m_lifted.find(node.name) : m_lifted.end();
        m_result.program.signature->inputs.push_back(
            spec != m_lifted.end() ? *spec->second : InputSpec{.kind = InputKind::user, .value = Argument::node(input)});
    }

    /// Finds the inputs that all other regions read from the same node, wherever the first region reads them.
    void noteShared()
    {
        std::unordered_set<NodeId> own; // inputs that differ between regions
        for (std::size_t other = 1; other < m_group.regionCount(); ++other)
            for (std::size_t place = 0; place < m_region.size(); ++place) {
                const auto there = m_source.inputs(m_group.region(other)[place]);
                auto at = there.begin();
                for (const NodeId here : m_source.inputs(m_region[place])) {
                    if (at == there.end() || *at != here)
                        own.insert(here);
                    if (at != there.end())
                        ++at;
                }
            }
        for (const NodeId id : m_outside)
            if (m_group.regionCount() > 1 && !own.contains(id))
                m_result.shared.push_back(m_copies.find(id));
    }

    void giveOut()
    {
        std::vector<NodeId> given;
        for (const NodeId id : m_region)
            if (std::ranges::any_of(m_source.users(id), [this](NodeId user) { return !m_inside.contains(user); }))
                given.push_back(id);
        m_copies.addOutput(given);
    }

    const Graph& m_source;
    const RegionGroup& m_group;
    std::span<const NodeId> m_region;
    std::vector<NodeId> m_outside; ///< inputs of the region, by first use
    std::unordered_set<NodeId> m_inside;
    RegionProgram m_result;
    std::unordered_map<InternedString, const InputSpec*> m_lifted; ///< of the source
    SubgraphBuilder m_copies;
};

} // namespace

RegionProgram regionProgram(const Program& source, const RegionGroup& group)
{
    return Extraction(source, group).run();
}

InternedString enclosingModule(const Program& program, std::span<const NodeId> nodes)
{
    const Graph& graph = program.rootGraph();
    std::span<const ModuleFrame> shared;
    bool isFirst = true;
    for (const NodeId id : nodes) {
        if (!graph[id].meta.modules)
            continue;
        const ModuleStack& stack = program.stackOf(graph[id]);
        if (std::exchange(isFirst, false))
            shared = stack;
        const auto end = std::mismatch(shared.begin(), shared.end(), stack.begin(), stack.end()).first;
        shared = shared.first(static_cast<std::size_t>(end - shared.begin()));
    }
    return shared.empty() ? InternedString() : shared.back().path;
}

} // namespace sunder
