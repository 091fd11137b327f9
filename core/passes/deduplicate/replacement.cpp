#include "passes/deduplicate/replacement.h"

#include "ir/getitem.h"
#include "passes/building/result_program.h"
#include "support/progress_monitor.h"

namespace sunder {

bool isTuple(const Argument& val)
{
    return val.is(ArgumentKind::tuple) || val.is(ArgumentKind::namedTuple);
}

Program withoutRootGraph(const Program& source)
{
    Program program = emptyResult(source);
    program.modules = source.modules;
    program.tensors = source.tensors;
    program.owners = source.owners;
    program.root = source.root;
    program.tags = source.tags;
    program.unknownLines = source.unknownLines;
    program.extras = source.extras;
    program.graphs.reserve(source.graphs.size() + 8);
    for (std::size_t i = 0; i < source.graphs.size(); ++i)
        program.graphs.push_back(GraphId(i) == source.root ? Graph() : source.graphs[i]);
    return program;
}

InternedString freeSubgraphName(const Program& program)
{
    for (std::uint64_t i = 0;; ++i) {
        const InternedString name = intern("subgraph_" + std::to_string(i));
        if (!program.modules.find(name) && !program.tensors.find(name))
            return name;
    }
}

GraphId addSubgraph(Program& program, InternedString name)
{
    const ModuleId owner = program.modules.ensureChild(ModuleTree::root(), name);
    program.modules[owner].cls = intern("torch.fx.graph_module.GraphModule");
    return program.addGraph(owner);
}

void aliasCalledModules(Program& program, GraphId graph)
{
    const std::string prefix = program.modules[program.owners[graph.index()]].path.str();
    for (const NodeId id : program.graph(graph).nodes()) {
        const Node& node = program.graph(graph).node(id);
        if (node.op != Op::callModule)
            continue;
        const ModuleId called = program.modules.resolve(node.target.view());
        const ModuleId alias = program.modules.ensure(joinPath(prefix, node.target.view()));
        if (called && !program.modules[alias].same) {
            program.modules[alias].same = called;
            program.modules[alias].implied = false;
        }
    }
}

NodeSpec specWith(const Node& node, Arguments args, Keywords kwargs)
{
    return {.op = node.op,
            .name = node.name,
            .target = node.target,
            .fn = node.fn,
            .args = std::move(args),
            .kwargs = std::move(kwargs),
            .type = node.type,
            .tag = node.tag,
            .sizeBytes = node.sizeBytes,
            .meta = node.meta,
            .extra = node.extra};
}

Result<Namespace> givenNames(const Graph& graph, ProgressMonitor& monitor)
{
    Namespace names;
    names.reserve(graph.size());
    StepMonitor steps(monitor);
    for (const NodeId id : graph.nodes()) {
        SUNDER_PROPAGATE(steps.step());
        const Node& node = graph.node(id);
        if (names.create(candidateName(node.op, node.target, node.fn)) != node.name)
            names.create(node.name);
    }
    return names;
}

} // namespace sunder
