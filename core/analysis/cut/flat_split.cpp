#include "analysis/cut/flat_split.h"

#include "ir/getitem.h"
#include "support/format.h"

#include <optional>

namespace sunder {
namespace {

class Flattener {
public:
    explicit Flattener(const Program& split) : m_split(split), m_main(split.rootGraph()), m_values(m_main.idBound()) {}

    Result<FlatSplit> run()
    {
        m_out.program.modules = m_split.modules;
        m_out.program.tensors = m_split.tensors;
        m_out.program.graphs = m_split.graphs; // nested graphs keep their ids
        m_out.program.owners = m_split.owners;
        m_out.program.stacks = m_split.stacks;
        m_out.program.ranges = m_split.ranges;
        m_out.program.origin = m_split.origin;
        m_out.program.root = m_split.root;
        m_flat.reserve(m_split.nodeCount());
        for (const NodeId id : m_main.nodes()) {
            const ModuleId part = partCalledBy(m_main[id]);
            SUNDER_PROPAGATE(part ? inlineCall(id, part) : copyMain(id));
        }
        if (m_out.parts.order.empty())
            return fail(ErrorCode::refused, "the graph is not split: it calls no parts");
        m_out.parts.tagOf.resize(m_flat.idBound(), TagAssignment::kUntagged);
        carrySignature();
        m_out.program.rootGraph() = std::move(m_flat);
        return std::move(m_out);
    }

private:
    ModuleId partCalledBy(const Node& node) const
    {
        if (node.op != Op::callModule)
            return {};
        const ModuleId called = m_split.modules.resolve(node.target.view());
        return called && m_split.modules[called].graph ? called : ModuleId();
    }

    /// Copies a call of the root graph that is not a part. A getitem of a part's result is replaced by the item.
    Result<void> copyMain(NodeId id)
    {
        const Node& node = m_main[id];
        if (const std::optional<std::int64_t> number = itemNumber(node)) {
            const std::optional<Argument>& whole = m_values[node.args[0].asNode().index()];
            if (whole && whole->isCompound() && *number >= 0 && static_cast<std::size_t>(*number) < whole->items().size()) {
                m_values[id.index()] = whole->items()[static_cast<std::size_t>(*number)];
                return {};
            }
        }
        m_values[id.index()] = Argument::node(append(m_split.root, id, node, {}, m_values));
        return {};
    }

    Result<void> inlineCall(NodeId call, ModuleId part)
    {
        const auto tag = static_cast<std::int32_t>(m_out.parts.order.size());
        const Node& caller = m_main[call];
        m_out.parts.order.push_back(caller.target);
        const GraphId graphId = m_split.modules[part].graph;
        const Graph& graph = m_split.graph(graphId);
        std::vector<std::optional<Argument>> values(graph.idBound());
        std::size_t given = 0;
        for (const NodeId id : graph.nodes()) {
            const Node& node = graph[id];
            if (node.op == Op::placeholder) {
                const Argument* value = argumentFor(caller, given++, node.target);
                if (value != nullptr)
                    values[id.index()] = replaced(*value, m_values);
                else if (!node.args.empty())
                    values[id.index()] = node.args.front();
                else
                    return fail(ErrorCode::refused,
                                caller.name.str() + " calls " + caller.target.str() + " without a value for " + node.name.str(),
                                {.node = caller.name.str(), .other = node.name.str()});
            } else if (node.op == Op::output) {
                m_values[call.index()] = node.args.empty() ? Argument() : replaced(node.args.front(), values);
            } else {
                const NodeId made = append(graphId, id, node, m_split.modules[part].path, values);
                values[id.index()] = Argument::node(made);
                m_out.parts.tagOf.resize(m_flat.idBound(), TagAssignment::kUntagged);
                m_out.parts.tagOf[made.index()] = tag;
            }
        }
        return {};
    }

    static const Argument* argumentFor(const Node& caller, std::size_t place, InternedString name)
    {
        if (place < caller.args.size())
            return &caller.args[place];
        for (const Keyword& keyword : caller.kwargs)
            if (keyword.key == name)
                return &keyword.value;
        return nullptr;
    }

    /// Nodes without a value (if the graph is out of order) become None.
    static Argument replaced(const Argument& argument, const std::vector<std::optional<Argument>>& values)
    {
        return mapNodes(argument, [&](NodeId id) { return values[id.index()].value_or(Argument()); });
    }

    void carrySignature()
    {
        const auto valueOf = [this](NodeId id) { return m_values[id.index()].value_or(Argument()); };
        m_out.program.calls = m_split.calls;
        for (ModuleCall& call : m_out.program.calls)
            replaceNodes(call, valueOf);
        if (!m_split.signature)
            return;
        const NodeIndex names(m_main);
        m_out.program.signature = m_split.signature;
        replaceNodes(*m_out.program.signature, valueOf);
        renameNodes(*m_out.program.signature, [&](InternedString name) {
            const NodeId source = names.find(name);
            const Argument value = source ? valueOf(source) : Argument();
            return value.is(ArgumentKind::node) ? m_flat[value.asNode()].name : name;
        });
    }

    /// Node names are only unique within a part, so they may occur in several parts.
    InternedString uniqueName(InternedString name)
    {
        if (m_names.isUsed(name))
            return m_names.create(name);
        m_names.use(name);
        return name;
    }

    NodeId append(GraphId graph, NodeId id, const Node& node, InternedString path,
                  const std::vector<std::optional<Argument>>& values)
    {
        NodeSpec spec{.op = node.op, .name = uniqueName(node.name), .target = node.target, .fn = node.fn};
        if (!path.empty() && (node.op == Op::getAttr || node.op == Op::callModule))
            spec.target = intern(joinPath(path.view(), node.target.view()));
        for (const Argument& argument : node.args)
            spec.args.push_back(replaced(argument, values));
        for (const Keyword& keyword : node.kwargs)
            spec.kwargs.push_back({keyword.key, replaced(keyword.value, values)});
        spec.meta = node.meta;
        m_out.origin.push_back({graph, id});
        return m_flat.append(std::move(spec));
    }

    const Program& m_split;
    const Graph& m_main;
    Graph m_flat;
    Namespace m_names;
    FlatSplit m_out;
    std::vector<std::optional<Argument>> m_values; ///< per node of the root graph: its value in the flat graph
};

} // namespace

Result<FlatSplit> flatSplit(const Program& split)
{
    return Flattener(split).run();
}

} // namespace sunder
