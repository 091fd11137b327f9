#include "verify/program_traits.h"

#include "analysis/operator_names.h"
#include "ir/value_kind.h"
#include "verify/leaf_module_facts.h"

#include <algorithm>
#include <vector>

namespace sunder {
namespace {

void addCall(const Node& node, OperatorCatalogue& operators, ProgramTraits& traits)
{
    const OperatorFacts& facts = operators.of(node.op, node.target);
    traits.writes = traits.writes || facts.write != WriteRule::none || facts.inPlaceFlag >= 0 || node.meta.mutated;
    for (const Keyword& keyword : node.kwargs)
        traits.writes = traits.writes || keyword.key.view() == "inplace" || isOutArgument(keyword.key.view());
    traits.layouts = traits.layouts || seesLayout(operatorName(node.target.view()));
    traits.reshapes = traits.reshapes || facts.changesMetadata;
    traits.random = traits.random || facts.random != RandomRule::never;
    if (facts.role != CallRole::withEffects || node.args.size() < 2 || !node.args[1].is(ArgumentKind::function))
        return;
    const InternedString called = node.args[1].text();
    traits.effects.insert(called);
    const OperatorFacts& inner = operators.of(Op::callFunction, called);
    traits.writes = traits.writes || inner.write != WriteRule::none;
    traits.random = traits.random || inner.random != RandomRule::never;
}

void addModule(const Graph& graph, const Node& node, const Module& module, ProgramTraits& traits)
{
    const LeafModuleFacts facts = leafModuleFacts(module.cls.view());
    traits.writes = traits.writes || facts.writesBuffers;
    traits.random = traits.random || facts.random;
    // Computed in place, when the file puts the result into the memory of an argument.
    const InternedString storage = storageOf(node.meta.val);
    if (storage.empty() || facts.neverInPlace)
        return;
    for (const Argument& argument : node.args)
        if (argument.is(ArgumentKind::node) && storageOf(graph.node(argument.asNode()).meta.val) == storage)
            traits.writes = true;
}

/// Whether the signature writes back to memory that several tensors lie in: what one holds then depends on the others.
bool mutatesSharedMemory(const Program& program)
{
    if (!program.signature)
        return false;
    std::vector<std::uint32_t> tensorsIn(program.tensors.storageCount(), 0);
    for (std::size_t i = 0; i < program.tensors.size(); ++i)
        if (const StorageId storage = program.tensors[TensorId(i)].storage; storage.isValid())
            ++tensorsIn[storage.index()];
    return std::ranges::any_of(program.signature->outputs, [&](const OutputSpec& output) {
        if (output.kind != OutputKind::bufferMutation && output.kind != OutputKind::parameterMutation)
            return false;
        const TensorId target = program.tensors.find(output.target);
        const StorageId storage = target.isValid() ? program.tensors[target].storage : StorageId();
        return storage.isValid() && tensorsIn[storage.index()] > 1;
    });
}

} // namespace

ProgramTraits traitsOf(const Program& a, const Program& b, OperatorCatalogue& operators)
{
    ProgramTraits traits;
    for (const Program* program : {&a, &b}) {
        traits.writes = traits.writes || mutatesSharedMemory(*program);
        for (const Graph& graph : program->graphs) {
            for (const NodeId id : graph.nodes()) {
                const Node& node = graph.node(id);
                if (node.op == Op::callFunction || node.op == Op::callMethod)
                    addCall(node, operators, traits);
            }
        }
        for (std::size_t i = 0; i < program->graphs.size(); ++i) {
            const Graph& graph = program->graphs[i];
            const ModuleId owner = program->owners[i].isValid() ? program->owners[i] : ModuleTree::root();
            for (const NodeId id : graph.nodes()) {
                if (graph.node(id).op != Op::callModule)
                    continue;
                const ModuleId module = program->modules.resolve(
                    joinPath(program->modules[owner].path.view(), graph.node(id).target.view()));
                if (module.isValid() && !program->modules[module].graph.isValid())
                    addModule(graph, graph.node(id), program->modules[module], traits);
            }
        }
    }
    return traits;
}

} // namespace sunder
