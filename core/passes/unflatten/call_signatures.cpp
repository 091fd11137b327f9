#include "passes/unflatten/call_signatures.h"

#include "passes/unflatten/module_objects.h"
#include "support/json_tape.h"

#include <string>

namespace sunder {
namespace {

/// Positional arguments and keywords in the spec of a call's inputs.
struct CallShape {
    std::size_t positionals = 0;
    std::vector<InternedString> keywords;
};

std::optional<CallShape> callShape(const TreeSpec* spec)
{
    using Kind = TreeSpec::Kind;
    if (spec == nullptr || spec->kind != Kind::tuple || spec->children.size() != 2)
        return std::nullopt;
    const TreeSpec& positional = spec->children[0];
    const TreeSpec& keyword = spec->children[1];
    if (positional.kind != Kind::tuple || keyword.kind != Kind::dict || keyword.type != "builtins.dict")
        return std::nullopt;
    CallShape shape{positional.children.size(), {}};
    for (const std::string& key : keyword.keys)
        shape.keywords.push_back(intern(key));
    return shape;
}

std::size_t leafCount(const TreeSpec* spec)
{
    return spec == nullptr ? 0 : spec->leafCount();
}

/// Returns the node that a value names, even if it no longer exists.
CallValue callValue(const Argument& value, const Graph& graph)
{
    if (value.is(ArgumentKind::node)) {
        const Node& node = graph.node(value.asNode());
        return {node.isErased() ? NodeId() : value.asNode(), node.name, {}};
    }
    if (value.is(ArgumentKind::unknown)) { // {"n":"…"} for a node that is no longer in the graph
        constexpr unsigned kMaxValueDepth = 512;
        JsonTape tape;
        const Result<void> isRead = tape.parseOfPython(value.text().view(), kMaxValueDepth);
        if (const JsonValue name = tape.root().member("n"); isRead && name && name.is(JsonType::string))
            return {{}, intern(name.text()), {}};
    }
    return {{}, {}, value};
}

} // namespace

Result<CallSignatures> CallSignatures::read(const Program& program)
{
    CallSignatures signatures;
    const InternedString cls = intern("torch.utils._pytree.TreeSpec");
    for (const ModuleCall& call : program.calls) {
        if (!call.hasSignature || call.fqn.empty())
            continue;
        std::optional<CallShape> shape = callShape(call.inSpec.tree());
        if (!shape)
            return fail(ErrorCode::refused,
                        "the preserved signature of " + call.fqn.str()
                            + " does not start with a tuple of positional and a dict of keyword arguments",
                        {.other = call.fqn.str()});
        CallSignature signature{.inSpec = Argument::opaque(intern(call.inSpec.text()), cls),
                                .outSpec = Argument::opaque(intern(call.outSpec.text()), cls),
                                .positionals = shape->positionals,
                                .keywords = std::move(shape->keywords),
                                .inputs = {},
                                .outputs = {}};
        for (const Argument& value : call.inputs)
            signature.inputs.push_back(callValue(value, program.rootGraph()));
        for (const Argument& value : call.outputs)
            signature.outputs.push_back(callValue(value, program.rootGraph()));
        if (leafCount(call.inSpec.tree()) != signature.inputs.size()
            || leafCount(call.outSpec.tree()) != signature.outputs.size())
            signatures.m_misfits.push_back(intern(withoutCall(call.fqn.view())));
        signatures.m_signatures.insert_or_assign(call.fqn, std::move(signature));
    }
    return signatures;
}

const CallSignature* CallSignatures::find(InternedString call) const
{
    const auto found = m_signatures.find(call);
    return found != m_signatures.end() ? &found->second : nullptr;
}

void CallSignatures::drop(const std::unordered_set<InternedString>& paths)
{
    if (!paths.empty())
        std::erase_if(m_signatures, [&](const auto& entry) { return paths.contains(intern(withoutCall(entry.first.view()))); });
}

} // namespace sunder
