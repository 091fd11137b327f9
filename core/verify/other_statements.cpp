#include "verify/other_statements.h"

#include <utility>
#include <vector>

namespace sunder {
namespace {

using Texts = std::vector<InternedString>;

void add(Texts& texts, InternedString text)
{
    if (!text.empty())
        texts.push_back(text);
}

/// Collects unknown keys of a value and of its items, recursively. Readers bound the depth.
void addValue(Texts& texts, const Argument& value)
{
    add(texts, value.extra());
    for (const Argument& item : value.items())
        addValue(texts, item);
}

/// Whether a module is not traced as a leaf module: it has a graph, is the root, or is an alias of another module.
bool runsGraphs(const Module& module)
{
    return !module.parent.isValid() || module.same.isValid() || module.graph.isValid() || module.calls.has_value();
}

/// Returns, in order, the reasons why a module with graphs may behave differently from its graphs.
Texts marks(const Program& program)
{
    Texts texts;
    for (std::size_t i = 0; i < program.modules.size(); ++i)
        if (const Module& module = program.modules[ModuleId(i)]; runsGraphs(module)) {
            add(texts, module.unknown);
            add(texts, module.recipe);
            add(texts, module.extra);
        }
    return texts;
}

/// Collects unknown keys of nodes and of their arguments, in graph order.
Texts keysOfNodes(const Program& program)
{
    Texts texts;
    for (const Graph& graph : program.graphs)
        for (const NodeId id : graph.nodes()) {
            const Node& node = graph.node(id);
            add(texts, node.extra);
            if (node.op == Op::getAttr && node.meta.val)
                addValue(texts, *node.meta.val);
            for (const Argument& argument : node.args)
                addValue(texts, argument);
            for (const Keyword& keyword : node.kwargs)
                addValue(texts, keyword.value);
        }
    return texts;
}

/// Collects unknown keys of everything else that may affect the computation.
Texts keysOfLines(const Program& program)
{
    Texts texts;
    for (const auto& [graph, keys] : program.extras.graphs)
        add(texts, keys);
    for (const Storage& storage : program.tensors.storages())
        add(texts, storage.extra);
    for (const TensorEntry& tensor : program.tensors.entries())
        if (tensor.same.isValid())
            add(texts, tensor.extra);
    for (const SymbolRange& range : program.ranges)
        add(texts, range.extra);
    for (const ModuleCall& call : program.calls)
        add(texts, call.extra);
    if (!program.signature)
        return texts;
    add(texts, program.signature->extra);
    for (const InputSpec& input : program.signature->inputs)
        add(texts, input.extra);
    for (const OutputSpec& output : program.signature->outputs)
        add(texts, output.extra);
    return texts;
}

/// Whether the signature of a program lists the inputs of its graph, in order.
bool namesInputs(const Program& program)
{
    if (!program.signature)
        return true;
    std::size_t at = 0;
    const std::vector<InputSpec>& specs = program.signature->inputs;
    for (const NodeId id : program.rootGraph().nodes()) {
        const Node& node = program.rootGraph().node(id);
        if (node.op != Op::placeholder)
            continue;
        if (at == specs.size())
            return false;
        const InputSpec& spec = specs[at++];
        const bool isNode = spec.value.is(ArgumentKind::node);
        if (spec.kind == InputKind::user ? isNode && spec.value.asNode() != id : spec.name != node.name)
            return false;
    }
    return at == specs.size();
}

/// Returns the results that are losses or gradients, with the target of each gradient.
std::vector<std::pair<OutputKind, InternedString>> purposes(const Program& program)
{
    std::vector<std::pair<OutputKind, InternedString>> found;
    if (program.signature)
        for (const OutputSpec& output : program.signature->outputs)
            if (output.kind == OutputKind::loss || output.kind == OutputKind::gradient)
                found.emplace_back(output.kind, output.target);
    return found;
}

} // namespace

std::string differentStatements(const Program& a, const Program& b)
{
    if (a.origin.conditions != b.origin.conditions)
        return "the files record different guards, or facts unknown to this version";
    if (!namesInputs(a) || !namesInputs(b))
        return "the signature of a program does not match the inputs of its graph";
    if (purposes(a) != purposes(b))
        return "the programs disagree on which results are losses or gradients";
    if (marks(a) != marks(b))
        return "a module has hooks or custom code that the files do not record";
    if (a.unknownLines != b.unknownLines || keysOfLines(a) != keysOfLines(b) || keysOfNodes(a) != keysOfNodes(b))
        return "the files differ in lines or keys unknown to this version";
    return {};
}

} // namespace sunder
