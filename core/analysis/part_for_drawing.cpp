#include "analysis/part_for_drawing.h"

namespace sunder {

std::unordered_map<InternedString, const InputSpec*> liftedInputs(const Program& program)
{
    std::unordered_map<InternedString, const InputSpec*> lifted;
    if (program.signature)
        for (const InputSpec& spec : program.signature->inputs)
            if (isLifted(spec.kind))
                lifted.emplace(spec.name, &spec);
    return lifted;
}

ExportSignature liftedSignature(const Program& program, std::span<const Argument> passed, const Graph& called)
{
    ExportSignature signature;
    const auto lifted = liftedInputs(program);
    auto value = passed.begin();
    for (const NodeId id : called.nodes()) {
        if (called[id].op != Op::placeholder)
            continue;
        if (value == passed.end())
            break;
        const Argument& given = *value++;
        if (!given.is(ArgumentKind::node))
            continue;
        const auto spec = lifted.find(program.rootGraph()[given.asNode()].name);
        if (spec == lifted.end())
            continue;
        signature.inputs.push_back(*spec->second);
        signature.inputs.back().name = called[id].name;
    }
    return signature;
}

std::optional<Program> partForDrawing(const Program& split, GraphId graph)
{
    const ModuleId owner = split.owners[graph.index()];
    if (graph == split.root || !owner || liftedInputs(split).empty())
        return std::nullopt;
    const NodeId call = moduleCall(split.rootGraph(), split.modules[owner].path);
    if (!call)
        return std::nullopt;
    Program program;
    program.modules = split.modules;
    program.tensors = split.tensors;
    program.stacks = split.stacks;
    program.graphs = {split.graph(graph)};
    program.owners = {owner};
    program.root = GraphId(0U);
    program.signature = liftedSignature(split, split.rootGraph()[call].args, split.graph(graph));
    return program;
}

} // namespace sunder
