#include "verify/traced_attributes.h"

#include "ir/interned_path.h"

namespace sunder {
namespace {

constexpr std::string_view kTreeSpecClass = "torch.utils._pytree.TreeSpec";

} // namespace

TracedAttributes::TracedAttributes(TraceDraft& draft) : m_draft(draft), m_tensors(draft.program.tensors.size())
{
    const TensorTable& tensors = draft.program.tensors;
    for (std::size_t i = 0; i < tensors.size(); ++i) {
        const InternedString name = tensors[TensorId(i)].fqn;
        const TensorId found = tensors.find(name); // there is none for an empty name
        if (!found.isValid() || tensors.object(found) != tensors.object(TensorId(i)))
            m_ambiguous.insert(name);
    }
}

ValueId TracedAttributes::tensor(TensorId id)
{
    const TensorId object = m_draft.program.tensors.object(id);
    ValueId& known = m_tensors[object.index()];
    if (known.isValid())
        return known;
    SymbolMapping& same = m_draft.context.mapping;
    const TermId term = same.tensor(m_draft.side, object);
    std::uint32_t region = 0;
    if (m_draft.context.followMemory) {
        const bool isKnown = same.knowsMemory(m_draft.side);
        const auto [place, isNew] = m_storages.emplace(isKnown ? same.storage(m_draft.side, object) : kSeveralRegions, 0);
        if (isNew)
            place->second = m_draft.trace.regions.add(0);
        region = place->second;
        if (!isKnown)
            m_draft.trace.unknownMemory = region;
    }
    known = m_draft.add({.kind = ValueKind::leaf, .term = term, .region = region});
    m_draft.trace.roots.push_back(known);
    return known;
}

ValueId TracedAttributes::attribute(TraceFrame& frame, NodeId id)
{
    const Node& node = m_draft.program.graph(frame.graph).node(id);
    const std::string_view owner = m_draft.program.modules[frame.module].path.view();
    if (const TensorId found = m_draft.program.tensorAt(internPath(owner, node.target.view())); found.isValid()) {
        if (m_ambiguous.contains(m_draft.program.tensors[found].fqn))
            return m_draft.unknown({frame.graph, id}, "two tensors are named " + m_draft.program.tensors[found].fqn.str());
        return tensor(found);
    }
    if (const ModuleId module = findModule(frame.module, node.target); module.isValid()) {
        const Module& found = m_draft.program.modules[module];
        if (found.graph.isValid())
            return m_draft.add({.kind = ValueKind::graph, .reference = found.graph.index(), .module = module});
        return m_draft.leaf(m_draft.terms.make({.kind = TermKind::module, .head = found.cls.id()},
                                               {m_draft.terms.text(m_draft.context.mapping.modulePath(m_draft.side, module))}));
    }
    if (node.meta.val && node.meta.val->is(ArgumentKind::opaque) && node.meta.val->className().view() == kTreeSpecClass) {
        const TermId text = m_draft.terms.literal(*node.meta.val);
        std::optional<TreeSpec> spec = TreeSpec::parse(node.meta.val->text().view());
        if (spec && !spec->isKnown())
            spec.reset();
        m_specs.try_emplace(text.index(), std::move(spec));
        return m_draft.constant(text);
    }
    const std::string path = joinPath(m_draft.program.modules[frame.module].path.view(), node.target.view());
    const InternedString known = m_draft.context.mapping.attributePath(m_draft.side, path);
    m_draft.terms.learn(known);
    return m_draft.leaf(m_draft.terms.make({.kind = TermKind::attribute, .head = known.id()}));
}

ModuleId TracedAttributes::findModule(ModuleId module, InternedString target) const
{
    return m_draft.program.modules.resolve(joinPath(m_draft.program.modules[module].path.view(), target.view()));
}

const TreeSpec* TracedAttributes::treeSpec(ValueId id) const
{
    if (!id.isValid() || m_draft.at(id).kind != ValueKind::constant)
        return nullptr;
    const auto found = m_specs.find(m_draft.at(id).term.index());
    return found != m_specs.end() && found->second ? &*found->second : nullptr;
}

} // namespace sunder
