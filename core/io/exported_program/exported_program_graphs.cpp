#include "io/exported_program/exported_program_graphs.h"

#include "io/exported_program/exported_program_rebuild.h"

#include <algorithm>

namespace sunder {
namespace {

/// Checks that the input specifications match the inputs in number and name.
void checkInputs(const ProgramRecord& record, ReadFault& fault)
{
    const GraphRecord& graph = record.graphs.front();
    const std::vector<InputSpec>& specs = record.signature->inputs;
    if (specs.size() != graph.inputs.size())
        return fault.report("the signature has " + std::to_string(specs.size()) + " input_specs, but the graph has "
                            + std::to_string(graph.inputs.size()) + " inputs");
    for (std::size_t i = 0; i < specs.size(); ++i) {
        const InputSpec& spec = specs[i];
        if (spec.name.empty() || !graph.inputs[i].isNamed)
            continue;
        const InternedString name = graph.names[graph.inputs[i].slot];
        if (spec.name != name)
            fault.report("input_specs[" + std::to_string(i) + "] of the signature names \"" + spec.name.str()
                         + "\", but that input is \"" + name.str() + "\"");
    }
}

void resolveSignature(ExportSignature& signature, ExportedGraphRebuild& root, const GraphRecord& graph, ReadFault& fault)
{
    for (InputSpec& input : signature.inputs)
        input.value = root.resolve(input.value, "the signature");
    for (OutputSpec& output : signature.outputs) {
        output.value = root.resolve(output.value, "the signature");
        if (output.name.empty())
            continue;
        if (!root.nodeOf(graph.slots.find(output.name.view(), graph.names)))
            fault.report("output_specs of the signature name \"" + output.name.str() + "\", which no node computes");
    }
}

/// Calls may refer to values that a later pass has removed. Such a name is kept as text.
Arguments resolveCall(const Arguments& arguments, ExportedGraphRebuild& root, const std::vector<InternedString>& names)
{
    Arguments resolved;
    for (const Argument& argument : arguments)
        resolved.push_back(mapNodes(argument, [&](NodeId slot) {
            const NodeId id = root.nodeOf(slot.index());
            return id ? Argument::node(id) : Argument::opaque(names[slot.index()], {});
        }));
    return resolved;
}

/// Returns the ranges whose symbol occurs in a value, as torch.export.load does.
std::vector<SymbolRange> usedRanges(const ProgramRecord& record)
{
    std::vector<SymbolRange> used;
    std::copy_if(record.ranges.begin(), record.ranges.end(), std::back_inserter(used),
                 [&](const SymbolRange& range) { return record.symbols.contains(range.symbol); });
    return used;
}

} // namespace

Result<Program> rebuildProgram(ProgramRecord& record, ProgressMonitor& monitor)
{
    ReadFault fault;
    if (!record.hasGraph)
        return fail(ErrorCode::malformed, "has no graph in its graph_module");
    if (!record.signature)
        return fail(ErrorCode::malformed, "has no signature in its graph_module");
    checkInputs(record, fault);
    Program program;
    program.modules[ModuleTree::root()].cls = intern("torch.export.exported_program.ExportedProgram");
    program.stacks = std::move(record.stacks);
    ExportedGraphRebuild root(program, record, 0, ModuleTree::root(), fault, monitor);
    if (!fault.isReported())
        root.run();
    GraphRecord& graph = record.graphs.front();
    if (!fault.isReported()) {
        resolveSignature(*record.signature, root, graph, fault);
        for (ModuleCall& call : record.calls) {
            call.inputs = resolveCall(call.inputs, root, graph.names);
            call.outputs = resolveCall(call.outputs, root, graph.names);
        }
    }
    if (fault.isReported())
        return tl::unexpected<Error>(fault.error());
    program.signature = std::move(record.signature);
    program.calls = std::move(record.calls);
    program.ranges = usedRanges(record);
    program.origin.torch = record.torchVersion.substr(0, record.torchVersion.find('+'));
    return program;
}

} // namespace sunder
