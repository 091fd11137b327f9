#include "passes/unflatten/outline.h"

#include "passes/unflatten/module_objects.h"
#include "support/json_tape.h"

#include <string>

namespace sunder {

std::optional<std::string_view> accessor(std::string_view parent, std::string_view path)
{
    if (parent.empty())
        return path;
    if (path.size() <= parent.size() || !path.starts_with(parent) || path[parent.size()] != '.')
        return std::nullopt;
    return path.substr(parent.size() + 1);
}

NodeId Outline::create(ObjectGraphId id, NodeSpec spec)
{
    Graph& graph = objects.graph(id);
    const InternedString candidate = spec.name.empty() ? candidateName(spec.op, spec.target, spec.fn) : spec.name;
    spec.name = names.create(id, graph, candidate);
    return graph.insert(std::move(spec));
}

namespace {

/// Returns the base name, as in torch's Namespace: "add_12" → "add".
std::string_view withoutNumber(std::string_view name)
{
    const std::size_t end = name.find_last_not_of("0123456789");
    const bool isNumbered = end != std::string_view::npos && end > 0 && end + 1 < name.size() && name[end] == '_';
    return isNumbered ? name.substr(0, end) : name;
}

} // namespace

GraphNames::GraphNames(const Graph& flat)
{
    m_flat.reserve(flat.size());
    for (const NodeId id : flat.nodes())
        if (flat.node(id).op != Op::output)
            m_hasTwins = !m_flat.emplace(flat.node(id).name).second || m_hasTwins;
}

InternedString GraphNames::keep(ObjectGraphId id, const Graph& graph, InternedString flatName)
{
    const bool isCounted = id.index() < m_namespaces.size() && m_namespaces[id.index()];
    return isCounted || m_hasTwins ? createCounted(id, graph, flatName) : flatName;
}

InternedString GraphNames::create(ObjectGraphId id, const Graph& graph, InternedString candidate)
{
    const InternedString name = candidate.empty() ? candidate : plainName(candidate);
    const bool isCounted = id.index() < m_namespaces.size() && m_namespaces[id.index()];
    if (isCounted || m_hasTwins || name.empty() || m_flat.contains(name))
        return createCounted(id, graph, candidate);
    const auto [first, isNew] = m_madeIn.emplace(name, id.index() + 1);
    if (isNew)
        return name;
    const std::uint64_t again = static_cast<std::uint64_t>(id.index()) << 32U | name.id();
    return first != id.index() + 1 && m_madeAgain.insert(again) ? name : createCounted(id, graph, candidate);
}

InternedString GraphNames::plainName(InternedString candidate)
{
    const auto [plain, isNew] = m_plain.emplace(candidate);
    if (isNew) {
        const InternedString name = Namespace().create(candidate);
        plain = isReservedName(withoutNumber(name.view())) ? InternedString() : name;
    }
    return plain;
}

InternedString GraphNames::createCounted(ObjectGraphId id, const Graph& graph, InternedString candidate)
{
    return namespaceOf(id, graph).create(candidate);
}

/// Node ids are in creation order. Nodes without a name get theirs later.
Namespace& GraphNames::namespaceOf(ObjectGraphId id, const Graph& graph)
{
    if (m_namespaces.size() <= id.index())
        m_namespaces.resize(id.index() + 1);
    std::unique_ptr<Namespace>& names = m_namespaces[id.index()];
    if (!names) {
        names = std::make_unique<Namespace>();
        for (std::size_t i = 0; i < graph.idBound(); ++i)
            if (const InternedString name = graph.node(NodeId(i)).name; !name.empty())
                names->create(name);
    }
    return *names;
}

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
        const Result<void> isRead = tape.parse(value.text().view(), kMaxValueDepth, JsonDialect::python);
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

void CallSignatures::giveUp(const std::unordered_set<InternedString>& paths)
{
    if (!paths.empty())
        std::erase_if(m_signatures, [&](const auto& entry) { return paths.contains(intern(withoutCall(entry.first.view()))); });
}

} // namespace sunder
