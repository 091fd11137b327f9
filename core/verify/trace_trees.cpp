#include "verify/trace_trees.h"

#include "ir/getitem.h"

#include <array>

namespace sunder {

TermId TraceTrees::itemKey(const TreeSpec& spec, std::size_t index)
{
    if (spec.kind == TreeSpec::Kind::dict)
        return m_draft.terms.text(intern(spec.keys[index]));
    return m_draft.terms.integer(static_cast<std::int64_t>(index));
}

bool TraceTrees::flattenInto(TraceFrame& frame, NodeId id, ValueId value, const TreeSpec& spec, std::vector<ValueId>& leaves)
{
    if (spec.kind == TreeSpec::Kind::leaf) {
        leaves.push_back(value);
        return true;
    }
    for (std::size_t i = 0; i < spec.children.size(); ++i) {
        const ValueId key = m_draft.constant(itemKey(spec, i));
        std::optional<ValueId> item;
        if (m_draft.at(value).kind == ValueKind::container) {
            if (spec.kind != TreeSpec::Kind::dict && m_draft.at(value).itemCount != spec.children.size())
                return false;
            item = m_containers.itemOf(m_draft.at(value), m_draft.at(key));
        } else if (m_draft.at(value).kind == ValueKind::leaf) {
            const TracedCall call{{value, key}, {}};
            item = m_operators.primitive(frame, id, m_draft.context.operators.of(Op::callFunction, getitemTarget()), call,
                                         m_draft.functionTarget(getitemTarget(), Op::callFunction));
        }
        if (!item || !flattenInto(frame, id, *item, spec.children[i], leaves))
            return false;
    }
    return true;
}

std::optional<ValueId> TraceTrees::flatten(TraceFrame& frame, NodeId id, const TracedCall& call)
{
    const TreeSpec* spec = m_attributes.treeSpec(call.argument(1));
    std::vector<ValueId> leaves;
    if (spec == nullptr || !flattenInto(frame, id, call.positional[0], *spec, leaves))
        return std::nullopt;
    return m_containers.container(m_containers.shapeOf(ArgumentKind::list, {}), leaves);
}

std::optional<ValueId> TraceTrees::buildTree(const TreeSpec& spec, std::span<const ValueId> leaves, std::size_t& next)
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
    return m_containers.container(
        m_containers.shapeOf(kKinds[static_cast<std::size_t>(spec.kind)], plain ? InternedString() : intern(spec.type), keys),
        items);
}

std::optional<ValueId> TraceTrees::unflatten(const TracedCall& call)
{
    const TreeSpec* spec = m_attributes.treeSpec(call.argument(1));
    if (spec == nullptr || m_draft.at(call.positional[0]).kind != ValueKind::container)
        return std::nullopt;
    const Value given = m_draft.at(call.positional[0]);
    const std::vector<ValueId> leaves(m_draft.trace.items(given).begin(), m_draft.trace.items(given).end());
    std::size_t next = 0;
    const std::optional<ValueId> tree = buildTree(*spec, leaves, next);
    return next == leaves.size() ? tree : std::nullopt;
}

} // namespace sunder
