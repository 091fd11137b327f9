#include "passes/unflatten/written_tensors.h"

#include "operators/call_facts.h"
#include "operators/operator_catalogue.h"

#include <algorithm>
#include <unordered_map>

namespace sunder {
namespace {

class Writes {
public:
    explicit Writes(const Program& program)
        : m_program(program), m_graph(program.rootGraph()), m_operators(program), m_written(program.tensors.storageCount())
    {
    }

    std::vector<char> run()
    {
        if (!std::any_of(m_program.graphs.begin(), m_program.graphs.end(), [&](const Graph& graph) { return writes(graph); }))
            return std::move(m_written);
        std::unordered_map<InternedString, StorageId> storageOf;
        for (const InputSpec& input : m_program.signature->inputs)
            if (const TensorId tensor = m_program.tensors.find(input.target); tensor && input.kind != InputKind::user)
                storageOf.emplace(input.name, m_program.tensors[m_program.tensors.object(tensor)].storage);
        m_storage.resize(m_graph.idBound());
        for (const NodeId id : m_graph.nodes()) {
            const Node& node = m_graph.node(id);
            if (node.op == Op::placeholder) {
                const auto found = storageOf.find(node.name);
                m_storage[id.index()] = found != storageOf.end() ? found->second : StorageId();
            } else if (node.isCall()) {
                visit(id, node);
            }
        }
        return std::move(m_written);
    }

private:
    /// Returns whether a call may write to anything; unknown operators may.
    bool isWrite(const Node& node)
    {
        if (!node.isCall())
            return false;
        if (node.meta.mutated || node.op == Op::callModule)
            return true;
        const OperatorFacts& facts = m_operators.of(node);
        return !facts.known || (facts.mayDo(FactKind::writes) && !callFacts(facts, NodeArguments(node)).written.empty());
    }

    bool writes(const Graph& graph)
    {
        const auto nodes = graph.nodes();
        return std::any_of(nodes.begin(), nodes.end(), [&](NodeId id) { return isWrite(graph.node(id)); });
    }

    void visit(NodeId id, const Node& node)
    {
        const OperatorFacts& facts = node.op == Op::callModule ? m_operators.of(Op::callFunction, node.target)
                                                               : m_operators.of(node);
        const NodeArguments given(node);
        const CallFacts does = callFacts(facts, given);
        const bool holdsGraph = facts.role == CallRole::closures || facts.role == CallRole::invoke
            || facts.role == CallRole::gradRegion || facts.role == CallRole::autocastRegion
            || facts.role == CallRole::withEffects;
        if (holdsGraph || node.meta.mutated || node.op == Op::callModule)
            forEachNode(node.args, node.kwargs, [&](NodeId input) { mark(input); });
        else
            for (const std::uint32_t slot : does.written)
                forEachNode(given.argument(slot), [&](NodeId input) { mark(input); });
        if (does.shared.empty() && !holdsGraph && facts.role != CallRole::getItem)
            return;
        forEachNode(node.args, node.kwargs, [&](NodeId input) {
            if (!m_storage[id.index()])
                m_storage[id.index()] = m_storage[input.index()];
        });
    }

    void mark(NodeId node)
    {
        if (const StorageId storage = m_storage[node.index()]; storage)
            m_written[storage.index()] = 1;
    }

    const Program& m_program;
    const Graph& m_graph;
    OperatorCatalog m_operators;
    std::vector<char> m_written;
    std::vector<StorageId> m_storage; ///< per node: the storage that it may be a view of
};

} // namespace

std::vector<char> writtenStorages(const Program& program)
{
    return Writes(program).run();
}

} // namespace sunder
