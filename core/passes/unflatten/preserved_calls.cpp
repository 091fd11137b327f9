#include "passes/unflatten/preserved_calls.h"

#include "ir/getitem.h"

namespace sunder {
namespace {

constexpr std::string_view kFlatten = "torch.fx._pytree.tree_flatten_spec";
constexpr std::string_view kUnflatten = "torch.utils._pytree.tree_unflatten";

Argument nodeOrNone(NodeId id)
{
    return id ? Argument::node(id) : Argument();
}

Argument index(std::size_t i)
{
    return Argument::integer(static_cast<std::int64_t>(i));
}

Argument textKey(InternedString key)
{
    return Argument::string(key);
}

} // namespace

NodeId PreservedCalls::call(std::size_t frame, std::string_view target, Arguments args)
{
    return m_draft.create(frame, {.op = Op::callFunction, .target = intern(target), .args = std::move(args)});
}

NodeId PreservedCalls::item(std::size_t frame, NodeId of, Argument key, InternedString name)
{
    NodeSpec spec = getitemSpec(of, std::move(key));
    spec.name = name;
    return m_draft.create(frame, std::move(spec));
}

NodeId PreservedCalls::addSpec(std::size_t frame, const Argument& spec)
{
    ModuleObject& object = m_draft.outline.objects[m_draft.frames[frame].object];
    const InternedString name = intern("_spec_" + std::to_string(object.specs++));
    const NodeId node = m_draft.create(frame, {.op = Op::getAttr, .target = name});
    m_draft.graphOf(frame).meta(node).val = spec;
    return node;
}

void PreservedCalls::adaptInputs()
{
    const std::size_t top = m_draft.frames.size() - 1;
    const CallSignature& signature = *m_draft.frames[top].signature;
    Graph& graph = m_draft.graphOf(top);
    Arguments positionals;
    Arguments keys;
    Arguments values;
    for (std::size_t i = 0; i < signature.positionals; ++i)
        positionals.push_back(Argument::node(
            m_draft.create(top, {.op = Op::placeholder, .target = intern("_positional_arg_" + std::to_string(i))})));
    for (const InternedString key : signature.keywords) {
        keys.push_back(textKey(key));
        values.push_back(Argument::node(m_draft.create(top, {.op = Op::placeholder, .target = key})));
    }
    m_draft.outline.objects[m_draft.frames[top].object].ownInputs = static_cast<std::uint32_t>(signature.positionals
                                                                                               + signature.keywords.size());
    const NodeId spec = addSpec(top, signature.inSpec);
    const Argument whole = Argument::tuple(
        {Argument::tuple(std::move(positionals)), Argument::dict(std::move(keys), std::move(values))});
    const NodeId flattened = call(top, kFlatten, {whole, Argument::node(spec)});
    for (std::size_t i = 0; i < signature.inputs.size(); ++i) {
        const CallValue& input = signature.inputs[i];
        const InternedString name = input.name.empty() ? intern("_constant_" + std::to_string(i)) : input.name;
        const NodeId node = item(top, flattened, index(i), name);
        if (!input.node || !m_draft.isSeen(input.node))
            continue;
        graph.meta(node) = m_draft.flat.node(input.node).meta;
        m_draft.frames[top].inputs.set(input.node, node);
        m_draft.note(top, input.node, node, true);
    }
}

void PreservedCalls::passInputs()
{
    const std::size_t parent = m_draft.frames.size() - 2;
    const CallSignature& signature = *m_draft.frames.back().signature;
    const NodeId callNode = m_draft.frames.back().callNode;
    Graph& graph = m_draft.graphOf(parent);
    const InsertScope scope(graph, Graph::InsertPoint::before(callNode));
    Arguments leaves;
    for (const CallValue& input : signature.inputs) {
        if (input.name.empty())
            leaves.push_back(input.constant);
        else
            leaves.push_back(input.node && m_draft.isSeen(input.node) ? nodeOrNone(m_values.of(parent, input.node)) : Argument());
    }
    if (m_draft.failed())
        return;
    const NodeId spec = addSpec(parent, signature.inSpec);
    const NodeId packed = call(parent, kUnflatten, {Argument::list(std::move(leaves)), Argument::node(spec)});
    const NodeId positionals = item(parent, packed, index(0));
    const NodeId keywords = item(parent, packed, index(1));
    Arguments args;
    Keywords kwargs;
    for (std::size_t i = 0; i < signature.positionals; ++i)
        args.push_back(Argument::node(item(parent, positionals, index(i))));
    for (const InternedString key : signature.keywords)
        kwargs.push_back({key, Argument::node(item(parent, keywords, textKey(key)))});
    graph.setArguments(callNode, std::move(args), std::move(kwargs));
}

std::vector<NodeId> PreservedCalls::giveOutputs(NodeId& given)
{
    const std::size_t top = m_draft.frames.size() - 1;
    OutlineFrame& frame = m_draft.frames[top];
    const CallSignature& signature = *frame.signature;
    std::vector<NodeId> results;
    Arguments leaves;
    for (const CallValue& output : signature.outputs) {
        const NodeId flat = output.node && m_draft.isSeen(output.node) ? output.node : NodeId();
        results.push_back(flat);
        NodeId node;
        if (flat) {
            node = frame.nodes.find(flat);
            if (!node)
                node = frame.inputs.find(flat);
            if (!node) {
                m_draft.stop("module " + frame.path.str() + " with a preserved signature returns " + output.name.str()
                                 + ", which it neither computes nor takes as an argument",
                             flat, frame.path.str());
                return results;
            }
        }
        leaves.push_back(nodeOrNone(node));
    }
    const NodeId spec = addSpec(top, signature.outSpec);
    const NodeId packed = call(top, kUnflatten, {Argument::tuple(std::move(leaves)), Argument::node(spec)});
    const NodeId outSpec = addSpec(top - 1, signature.outSpec);
    given = call(top - 1, kFlatten, {Argument::node(frame.callNode), Argument::node(outSpec)});
    m_draft.create(top, {.op = Op::output, .target = intern("output"), .args = {Argument::node(packed)}});
    return results;
}

} // namespace sunder
