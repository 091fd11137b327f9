#include "layout/collapse/collapse_units.h"

#include "analysis/run_order/call_effects.h"
#include "ir/getitem.h"
#include "layout/collapse/folded_calls.h"

#include <unordered_map>

namespace sunder::collapse {
namespace {

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

/// Fills weights, weightOf, and storageCount from get_attrs and the placeholders that the signature calls parameters, buffers,
/// constants, or objects. Bytes are those of the storage, else of the tensor, else of `val`.
void findWeights(const Program& program, GraphId graph, UnitGraph& units)
{
    WeightFinder(program, graph, units).run();
}

class UnitBuilder {
public:
    UnitBuilder(const Program& program, GraphId graph, const ScopeTree& scopes, const PictureOptions& options)
        : m_program(program), m_graph(program.graph(graph)), m_scopes(scopes),
          m_isFolded(options.deadNodes ? std::vector<char>(m_graph.idBound(), 0) : deadAndAssertNodes(program, graph))
    {
        if (const ModuleId owner = program.owners[graph.index()])
            m_path = program.modules[owner].path.view();
        findWeights(program, graph, m_units);
        for (const NodeId id : options.asides)
            setAside(id);
    }

    Result<UnitGraph> run(bool modules, ProgressMonitor& monitor)
    {
        SUNDER_PROPAGATE(monitor.check());
        assignUnits();
        SUNDER_PROPAGATE(monitor.check());
        listNodes();
        SUNDER_PROPAGATE(monitor.check());
        listReads();
        SUNDER_PROPAGATE(monitor.check());
        m_units.scopeOf.assign(m_units.size(), 0);
        if (modules)
            assignScopes();
        SUNDER_PROPAGATE(monitor.check());
        FoldedCalls(m_graph, m_scopes, m_isFolded, m_units).assign(modules);
        return std::move(m_units);
    }

private:
    void setAside(NodeId id)
    {
        if (m_graph.node(id).op != Op::placeholder || m_units.weightOf[id.index()] != kNone)
            return;
        m_units.weightOf[id.index()] = static_cast<Index>(m_units.weights.size());
        m_units.weights.push_back({.node = id, .storage = m_units.storageCount++, .isAside = true});
    }

    /// True for a call of a module that has a graph, e.g. a part of a split or a module of an unflattened program.
    [[nodiscard]] bool callsGraph(const Node& node) const
    {
        if (node.op != Op::callModule)
            return false;
        const ModuleId module = m_program.modules.resolve(joinPath(m_path, node.target.view()));
        return module && m_program.modules[module].graph;
    }

    /// Returns the unit of the tuple that a getitem reads, or kNone for any other node. The results of a part stay separate
    /// units, so that each value is visible.
    [[nodiscard]] Index unitOfTuple(const Node& node) const
    {
        if (!isGetitem(node) || node.args.size() != 2 || !node.kwargs.empty())
            return kNone;
        const Argument& tuple = node.args[0];
        const Argument& key = node.args[1];
        if (!tuple.is(ArgumentKind::node) || !(key.is(ArgumentKind::integer) || key.is(ArgumentKind::string)))
            return kNone;
        const Node& producer = m_graph.node(tuple.asNode());
        if (!producer.isCall() || (producer.meta.val && !producer.meta.val->isCompound()) || callsGraph(producer))
            return kNone;
        return m_units.unitOf[tuple.asNode().index()];
    }

    void assignUnits()
    {
        m_units.unitOf.assign(m_graph.idBound(), kNone);
        for (const NodeId id : m_graph.nodes()) {
            if (m_units.weightOf[id.index()] != kNone || m_isFolded[id.index()] != 0)
                continue;
            Index unit = unitOfTuple(m_graph.node(id));
            if (unit == kNone) {
                unit = m_units.size();
                m_units.heads.push_back(id);
            }
            m_units.unitOf[id.index()] = unit;
        }
    }

    void listNodes()
    {
        m_units.nodeStart.assign(m_units.size() + 1, 0);
        for (const Index unit : m_units.unitOf) {
            if (unit != kNone)
                ++m_units.nodeStart[unit + 1];
        }
        for (Index unit = 0; unit < m_units.size(); ++unit)
            m_units.nodeStart[unit + 1] += m_units.nodeStart[unit];
        m_units.nodes.resize(m_units.nodeStart.back());
        std::vector<Index> next = m_units.nodeStart;
        for (const NodeId id : m_graph.nodes()) {
            if (m_units.unitOf[id.index()] != kNone)
                m_units.nodes[next[m_units.unitOf[id.index()]]++] = id;
        }
    }

    void listReads()
    {
        std::vector<Index> seen(m_graph.idBound(), kNone); // per node: the last unit that read it
        for (Index unit = 0; unit < m_units.size(); ++unit) {
            m_units.readStart.push_back(static_cast<Index>(m_units.reads.size()));
            m_units.weightStart.push_back(static_cast<Index>(m_units.weightReads.size()));
            for (const NodeId node : m_units.nodesOf(unit)) {
                for (const NodeId input : m_graph.inputs(node)) {
                    if (seen[input.index()] != unit)
                        addRead(unit, input);
                    seen[input.index()] = unit;
                }
            }
        }
        m_units.readStart.push_back(static_cast<Index>(m_units.reads.size()));
        m_units.weightStart.push_back(static_cast<Index>(m_units.weightReads.size()));
    }

    void addRead(Index unit, NodeId input)
    {
        const Index weight = m_units.weightOf[input.index()];
        Index& producer = m_units.unitOf[input.index()];
        if (weight == kNone) {
            if (producer != unit && producer != kNone)
                m_units.reads.push_back({producer, input});
            return;
        }
        m_units.weightReads.push_back(weight);
        if (producer == kNone)
            producer = unit;
    }

    /// Places a unit whose stack names no module, e.g. one that a pass inserted, in the innermost scope that contains all its
    /// readers.
    void assignScopes()
    {
        std::vector<Index> readersScope(m_units.size(), kNone);
        for (Index unit = m_units.size(); unit-- > 0;) {
            const Node& head = m_graph.node(m_units.heads[unit]);
            Index scope = head.isCall() && head.meta.modules ? m_scopes.ofStack[head.meta.modules.index()] : kNone;
            if (scope == kNone)
                scope = head.isCall() && readersScope[unit] != kNone ? readersScope[unit] : 0;
            m_units.scopeOf[unit] = scope;
            for (const Read& read : m_units.readsOf(unit)) {
                Index& common = readersScope[read.producer];
                common = common == kNone ? scope : m_scopes.commonOf(common, scope);
            }
        }
    }

    const Program& m_program;
    const Graph& m_graph;
    const ScopeTree& m_scopes;
    std::vector<char> m_isFolded; ///< per NodeId index: belongs to the unit of another node
    std::string_view m_path; ///< path of the module that owns the graph
    UnitGraph m_units;
};

} // namespace

Result<UnitGraph> unitsOf(const Program& program, GraphId graph, const ScopeTree& scopes, const PictureOptions& options,
                          ProgressMonitor& monitor)
{
    SUNDER_PROPAGATE(monitor.check());
    return UnitBuilder(program, graph, scopes, options).run(options.collapse, monitor);
}

} // namespace sunder::collapse
