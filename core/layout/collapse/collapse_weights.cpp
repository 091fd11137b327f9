#include "layout/collapse/collapse_weights.h"

#include <unordered_map>

namespace sunder::collapse {
namespace {

bool isLifted(InputKind kind)
{
    return kind != InputKind::user && kind != InputKind::token;
}

class WeightFinder {
public:
    WeightFinder(const Program& program, GraphId graph, UnitGraph& units)
        : m_program(program), m_graph(program.graph(graph)), m_units(units)
    {
        const ModuleId owner = graph.index() < program.owners.size() ? program.owners[graph.index()] : ModuleId();
        if (owner)
            m_prefix = program.modules[owner].path.str();
        if (graph != program.root || !program.signature)
            return;
        for (const InputSpec& spec : program.signature->inputs) {
            if (isLifted(spec.kind))
                m_targets.try_emplace(spec.name, spec.target);
        }
    }

    void run()
    {
        m_units.weightOf.assign(m_graph.idBound(), kNone);
        m_storageIndex.assign(m_program.tensors.storageCount(), kNone);
        m_tensorIndex.assign(m_program.tensors.size(), kNone);
        for (const NodeId id : m_graph.nodes()) {
            const Node& node = m_graph.node(id);
            if (node.op == Op::getAttr) {
                add(id, intern(joinPath(m_prefix, node.target.view())));
            } else if (node.op == Op::placeholder) {
                const auto found = m_targets.find(node.name);
                if (found != m_targets.end())
                    add(id, found->second);
            }
        }
    }

private:
    void add(NodeId id, InternedString fqn)
    {
        m_units.weightOf[id.index()] = static_cast<Index>(m_units.weights.size());
        const TensorId named = m_program.tensors.find(fqn);
        Weight weight{.node = id};
        if (!named) {
            weight.storage = m_units.storageCount++;
            const std::optional<Argument>& val = m_graph.node(id).meta.val;
            weight.bytes = val ? byteSize(*val).value_or(0) : 0;
        } else {
            const TensorId object = m_program.tensors.object(named);
            weight.storage = storageOf(object);
            weight.bytes = bytesOf(object);
        }
        m_units.weights.push_back(weight);
    }

    Index storageOf(TensorId tensor)
    {
        const StorageId storage = m_program.tensors[tensor].storage;
        Index& index = storage ? m_storageIndex[storage.index()] : m_tensorIndex[tensor.index()];
        if (index == kNone)
            index = m_units.storageCount++;
        return index;
    }

    [[nodiscard]] std::uint64_t bytesOf(TensorId tensor) const
    {
        const TensorEntry& entry = m_program.tensors[tensor];
        if (entry.storage && m_program.tensors[entry.storage].byteCount)
            return *m_program.tensors[entry.storage].byteCount;
        return byteSize(entry.meta).value_or(0);
    }

    const Program& m_program;
    const Graph& m_graph;
    UnitGraph& m_units;
    std::string m_prefix;
    std::unordered_map<InternedString, InternedString> m_targets; ///< lifted placeholder → fully qualified name
    std::vector<Index> m_storageIndex;
    std::vector<Index> m_tensorIndex;
};

} // namespace

void findWeights(const Program& program, GraphId graph, UnitGraph& units)
{
    WeightFinder(program, graph, units).run();
}

} // namespace sunder::collapse
