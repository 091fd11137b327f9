#include "passes/regions/region_program.h"

#include <algorithm>
#include <unordered_map>
#include <unordered_set>

namespace sunder {
namespace {

class Extraction {
public:
    Extraction(const Program& source, std::span<const NodeId> region) : m_source(source.rootGraph()), m_region(region), m_inside(region.begin(), region.end())
    {
        m_result.program.modules = source.modules;
        m_result.program.tensors = source.tensors;
        m_result.program.stacks = source.stacks;
        for (std::size_t i = 0; i < source.graphs.size(); ++i) // nodes may hold graphs: ids stay
            m_result.program.graphs.push_back(i == source.root.index() ? Graph() : source.graphs[i]);
        m_result.program.owners = source.owners;
        m_result.program.root = source.root;
        if (source.signature) {
            m_result.program.signature.emplace();
            for (const InputSpec& spec : source.signature->inputs)
                m_specs.emplace(spec.name, &spec);
        }
        for (const NodeId id : region)
            m_copies.emplace(id, NodeId()); // not from outside
    }

    RegionProgram run()
    {
        for (const NodeId id : m_region)
            for (const NodeId input : m_source.inputs(id))
                if (m_copies.emplace(input, NodeId()).second)
                    takeFromOutside(input);
        for (const NodeId id : m_region) {
            const Node& node = m_source[id];
            const auto inner = [this](NodeId input) { return Argument::node(m_copies.at(input)); };
            append(id, {.op = node.op, .target = node.target, .fn = node.fn, .args = mapNodes(node.args, inner),
                        .kwargs = mapNodes(node.kwargs, inner)});
            m_result.nodes.push_back(m_copies.at(id));
        }
        giveOut();
        shortenStacks();
        return std::move(m_result);
    }

private:
    void append(NodeId id, NodeSpec spec)
    {
        const Node& node = m_source[id];
        spec.name = node.name;
        spec.meta = node.meta;
        m_copies[id] = m_result.program.rootGraph().append(std::move(spec));
    }

    void takeFromOutside(NodeId id)
    {
        const Node& node = m_source[id];
        if (node.op == Op::getAttr) {
            append(id, {.op = Op::getAttr, .target = node.target});
            return;
        }
        append(id, {.op = Op::placeholder, .target = node.name});
        if (!m_result.program.signature)
            return;
        const auto spec = m_specs.find(node.name);
        const bool isLifted = node.op == Op::placeholder && spec != m_specs.end() && spec->second->kind != InputKind::user;
        m_result.program.signature->inputs.push_back(
            isLifted ? *spec->second : InputSpec{.kind = InputKind::user, .value = Argument::node(m_copies.at(id))});
    }

    /// Modules that hold all of the region would be frames around everything: they go, as does where inputs came from.
    void shortenStacks()
    {
        Graph& graph = m_result.program.rootGraph();
        std::vector<ModuleStack>& stacks = m_result.program.stacks;
        for (const NodeId id : graph.order())
            if (!graph[id].isCall())
                graph.meta(id).modules = {};
        const ModuleStack* first = nullptr;
        std::size_t shared = 0;
        std::unordered_set<StackId> used;
        for (const NodeId id : m_result.nodes) {
            if (!graph[id].meta.modules)
                return;
            const ModuleStack& stack = m_result.program.stackOf(graph[id]);
            used.insert(graph[id].meta.modules);
            if (std::exchange(first, first == nullptr ? &stack : first) == nullptr)
                shared = stack.size();
            const auto end = std::mismatch(first->begin(), first->begin() + static_cast<std::ptrdiff_t>(shared), stack.begin(), stack.end());
            shared = static_cast<std::size_t>(end.first - first->begin());
        }
        if (shared < 2) // the first frame is the model itself
            return;
        for (const StackId id : used)
            stacks[id.index()].erase(stacks[id.index()].begin() + 1, stacks[id.index()].begin() + static_cast<std::ptrdiff_t>(shared));
    }

    void giveOut()
    {
        Arguments given;
        for (const NodeId id : m_region)
            for (const NodeId user : m_source.users(id))
                if (!m_inside.contains(user)) {
                    given.push_back(Argument::node(m_copies.at(id)));
                    break;
                }
        m_result.program.rootGraph().create(
            {.op = Op::output, .name = intern("output"), .target = intern("output"), .args = {Argument::tuple(std::move(given))}});
    }

    const Graph& m_source;
    std::span<const NodeId> m_region;
    std::unordered_set<NodeId> m_inside;
    RegionProgram m_result;
    std::unordered_map<NodeId, NodeId> m_copies;
    std::unordered_map<InternedString, const InputSpec*> m_specs;
};

} // namespace

RegionProgram regionProgram(const Program& source, std::span<const NodeId> region)
{
    return Extraction(source, region).run();
}

} // namespace sunder
