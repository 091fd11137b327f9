// Pytrees in a trace: what tree_flatten_spec and tree_unflatten do, for specs of Python's own containers.
#include "ir/getitem.h"
#include "verify/trace_builder.h"

namespace sunder {

const TreeSpec* TraceBuilder::treeSpec(ValueId id)
{
    if (!id.isValid() || at(id).kind != ValueKind::constant)
        return nullptr;
    const auto found = m_specs.find(at(id).term.index());
    return found != m_specs.end() && found->second ? &*found->second : nullptr;
}

TermId TraceBuilder::itemKey(const TreeSpec& spec, std::size_t index)
{
    if (spec.kind == TreeSpec::Kind::dict)
        return m_terms.text(intern(spec.keys[index]));
    return m_terms.integer(static_cast<std::int64_t>(index));
}

bool TraceBuilder::flattenInto(Frame& frame, NodeId id, ValueId value, const TreeSpec& spec, std::vector<ValueId>& leaves)
{
    if (spec.kind == TreeSpec::Kind::leaf) {
        leaves.push_back(value);
        return true;
    }
    for (std::size_t i = 0; i < spec.children.size(); ++i) {
        const ValueId key = constant(itemKey(spec, i));
        std::optional<ValueId> item;
        if (at(value).kind == ValueKind::container) {
            if (spec.kind != TreeSpec::Kind::dict && at(value).itemCount != spec.children.size())
                return false;
            item = itemOf(at(value), at(key));
        } else if (at(value).kind == ValueKind::leaf) {
            const Call call{{value, key}, {}};
            item = primitive(frame, id, m_context.operators.of(Op::callFunction, getitemTarget()), call,
                             functionTarget(getitemTarget(), Op::callFunction));
        }
        if (!item || !flattenInto(frame, id, *item, spec.children[i], leaves))
            return false;
    }
    return true;
}

std::optional<ValueId> TraceBuilder::flatten(Frame& frame, NodeId id, const Call& call)
{
    const TreeSpec* spec = treeSpec(call.argument(1));
    std::vector<ValueId> leaves;
    if (spec == nullptr || !flattenInto(frame, id, call.positional[0], *spec, leaves))
        return std::nullopt;
    return container(shapeOf(ArgumentKind::list, {}), leaves);
}

std::optional<ValueId> TraceBuilder::buildTree(const TreeSpec& spec, std::span<const ValueId> leaves, std::size_t& next)
{
    if (spec.kind == TreeSpec::Kind::leaf)
        return next < leaves.size() ? std::optional(leaves[next++]) : std::nullopt;
    std::vector<ValueId> items;
    std::vector<TermId> keys;
    for (std::size_t i = 0; i < spec.children.size(); ++i) {
        const std::optional<ValueId> item = buildTree(spec.children[i], leaves, next);
        if (!item)
            return std::nullopt;
        items.push_back(*item);
        if (spec.kind == TreeSpec::Kind::dict)
            keys.push_back(itemKey(spec, i));
    }
    constexpr std::array kKinds{ArgumentKind::none, ArgumentKind::tuple, ArgumentKind::list, ArgumentKind::dict,
                                ArgumentKind::namedTuple};
    const bool plain = spec.type.starts_with("builtins.");
    return container(shapeOf(kKinds[static_cast<std::size_t>(spec.kind)], plain ? InternedString() : intern(spec.type), keys),
                     items);
}

std::optional<ValueId> TraceBuilder::unflatten(const Call& call)
{
    const TreeSpec* spec = treeSpec(call.argument(1));
    if (spec == nullptr || at(call.positional[0]).kind != ValueKind::container)
        return std::nullopt;
    const Value given = at(call.positional[0]);
    const std::vector<ValueId> leaves(m_trace.items(given).begin(), m_trace.items(given).end());
    std::size_t next = 0;
    const std::optional<ValueId> tree = buildTree(*spec, leaves, next);
    return next == leaves.size() ? tree : std::nullopt;
}

} // namespace sunder
