#include "analysis/part_program.h"

#include <algorithm>
#include <unordered_map>

namespace sunder {
namespace {

bool isLifted(const InputSpec& spec)
{
    return spec.kind != InputKind::user && spec.kind != InputKind::token;
}

std::unordered_map<InternedString, const InputSpec*> liftedInputs(const Program& program)
{
    std::unordered_map<InternedString, const InputSpec*> lifted;
    if (program.signature)
        for (const InputSpec& spec : program.signature->inputs)
            if (isLifted(spec))
                lifted.emplace(spec.name, &spec);
    return lifted;
}

/// Returns the node of the main graph that calls the part; invalid if there is none.
NodeId callOf(const Program& split, InternedString path)
{
    const Graph& main = split.rootGraph();
    for (const NodeId id : main.nodes())
        if (main[id].op == Op::callModule && main[id].target == path)
            return id;
    return {};
}

} // namespace

std::optional<Program> partProgram(const Program& split, GraphId graph)
{
    const ModuleId owner = split.owners[graph.index()];
    const auto lifted = liftedInputs(split);
    if (graph == split.root || !owner || lifted.empty())
        return std::nullopt;
    const NodeId call = callOf(split, split.modules[owner].path);
    if (!call)
        return std::nullopt;

    ExportSignature signature;
    const Graph& main = split.rootGraph();
    const Arguments& passed = main[call].args;
    const Graph& part = split.graph(graph);
    std::size_t place = 0;
    for (const NodeId id : part.nodes()) {
        if (part[id].op != Op::placeholder)
            continue;
        const std::size_t at = place++;
        if (at >= passed.size() || !passed[at].is(ArgumentKind::node))
            continue;
        const auto spec = lifted.find(main[passed[at].asNode()].name);
        if (spec == lifted.end())
            continue;
        InputSpec input = *spec->second;
        input.name = part[id].name;
        signature.inputs.push_back(std::move(input));
    }
    Program program;
    program.modules = split.modules;
    program.tensors = split.tensors;
    program.stacks = split.stacks;
    program.graphs = {part};
    program.owners = {owner};
    program.root = GraphId(0U);
    program.signature = std::move(signature);
    return program;
}

} // namespace sunder
