#include "analysis/search/node_matcher.h"

#include "analysis/outline_tree.h"

#include <algorithm>

namespace sunder {
namespace {

/// Returns whether `matches` accepts a tensor in a value.
template <typename Matches>
bool anyTensor(const Argument& val, const Matches& matches)
{
    if (val.kind() == ArgumentKind::tensor)
        return matches(val.asTensor());
    return std::ranges::any_of(val.items(), [&](const Argument& item) { return anyTensor(item, matches); });
}

/// Returns whether a pattern names an operator: "torch.ops.aten.mul.Tensor" matches mul, mul.Tensor, aten.mul, aten.mul.Tensor,
/// aten::mul and the full name.
bool isOperator(const TextPattern& wanted, std::string_view target)
{
    if (wanted.isWhole(target) || wanted.isWhole(shortTarget(target)))
        return true;
    constexpr std::string_view kOps = "torch.ops.";
    if (!target.starts_with(kOps))
        return false;
    target.remove_prefix(kOps.size()); // aten.mul.Tensor
    const std::size_t library = target.find('.');
    if (wanted.isWhole(target) || library == std::string_view::npos)
        return wanted.isWhole(target);
    const std::string_view name = target.substr(library + 1); // mul.Tensor
    const std::string_view packet = target.substr(0, target.find('.', library + 1)); // aten.mul
    const std::string scoped = std::string(target.substr(0, library)) + "::" + std::string(name.substr(0, name.find('.')));
    return wanted.isWhole(name) || wanted.isWhole(packet) || wanted.isWhole(scoped);
}

/// Returns whether the pattern matches consecutive components of the module path: "layers.3" in "model.layers.3.mlp".
bool isUnder(const TextPattern& wanted, std::string_view path)
{
    if (wanted.isExpression())
        return wanted.isIn(path);
    for (std::size_t begin = 0; begin < path.size();) {
        std::size_t end = begin;
        do {
            end = std::min(path.find('.', end + 1), path.size());
            if (wanted.isWhole(path.substr(begin, end - begin)))
                return true;
        } while (end < path.size());
        begin = std::min(path.find('.', begin), path.size() - 1) + 1;
    }
    return false;
}

bool isDtype(const TextPattern& wanted, std::string_view dtype)
{
    return wanted.isWhole(dtype) || wanted.isWhole(dtypeAbbreviation(dtype)) || wanted.isWhole("torch." + std::string(dtype));
}

std::string_view parentOf(std::string_view path)
{
    const std::size_t dot = path.rfind('.');
    return dot == std::string_view::npos ? std::string_view() : path.substr(0, dot);
}

/// Returns the class of the module called by a call_module; empty if unknown.
std::string_view calledClass(const Program& program, const Node& node)
{
    if (node.op != Op::callModule)
        return {};
    const ModuleId module = program.modules.resolve(node.target.view());
    return module ? unqualifiedClass(program.modules[program.modules.object(module)].cls.view()) : std::string_view();
}

} // namespace

std::string_view unqualifiedClass(std::string_view cls)
{
    return cls.substr(cls.rfind('.') + 1);
}

std::string_view modulePathOf(const Program& program, const Node& node)
{
    const ModuleStack& stack = program.stackOf(node);
    if (!stack.empty())
        return stack.back().path.view();
    if (node.op == Op::callModule)
        return node.target.view();
    return node.op == Op::getAttr ? parentOf(node.target.view()) : std::string_view();
}

NodeMatcher::NodeMatcher(const Snapshot& snapshot, const TagAssignment& tags, const NodeQuery::Term& term)
    : m_snapshot(snapshot), m_tags(tags), m_term(term)
{
}

bool NodeMatcher::matches(NodeId id)
{
    const Node& node = m_snapshot.graph()[id];
    const auto tensor = [&](const auto& matches) { return node.meta.val && anyTensor(*node.meta.val, matches); };
    switch (m_term.field) {
    case QueryField::any: return matchesAny(node);
    case QueryField::name: return m_term.text.isIn(node.name.view());
    case QueryField::op: return matchesOp(node);
    case QueryField::cls: return matchesClass(node);
    case QueryField::module: return matchesModule(node);
    case QueryField::tag: return matchesTag(id);
    case QueryField::shape: return tensor([&](const TensorMeta& meta) { return m_term.shape.matches(meta); });
    case QueryField::dtype: return tensor([&](const TensorMeta& meta) { return isDtype(m_term.text, meta.dtype.view()); });
    case QueryField::bytes: return matchesBytes(m_snapshot.sizes.outputBytes[id.index()]);
    case QueryField::weights: return node.isCall() && matchesBytes(m_snapshot.sizes.parameterBytes[id.index()]);
    }
    return false;
}

bool NodeMatcher::matchesAny(const Node& node)
{
    const TextPattern& text = m_term.text;
    if (text.isIn(node.name.view()) || text.isIn(calledClass(m_snapshot.program, node)))
        return true;
    if (const auto [at, isNew] = m_targets.try_emplace(node.target); isNew)
        at->second = text.isIn(node.target.view());
    if (m_targets[node.target])
        return true;
    const ModuleStack& stack = m_snapshot.program.stackOf(node);
    return text.isIn(modulePathOf(m_snapshot.program, node))
        || (!stack.empty() && text.isIn(unqualifiedClass(stack.back().cls.view())));
}

bool NodeMatcher::matchesOp(const Node& node)
{
    if (m_term.text.isWhole(sunder::name(node.op)) || m_term.text.isWhole(calledClass(m_snapshot.program, node)))
        return true;
    if (!node.isCall()) // the target of an input is its name
        return false;
    const auto [at, isNew] = m_targets.try_emplace(node.target);
    if (isNew)
        at->second = isOperator(m_term.text, node.target.view());
    return at->second;
}

bool NodeMatcher::matchesClass(const Node& node)
{
    const auto is = [&](std::string_view cls) { return m_term.text.isWhole(unqualifiedClass(cls)) || m_term.text.isWhole(cls); };
    const ModuleStack& stack = m_snapshot.program.stackOf(node);
    const std::string_view called = calledClass(m_snapshot.program, node);
    return (!called.empty() && is(called))
        || std::ranges::any_of(stack, [&](const ModuleFrame& frame) { return is(frame.cls.view()); });
}

bool NodeMatcher::matchesModule(const Node& node)
{
    const auto [at, isNew] = m_paths.try_emplace(modulePathOf(m_snapshot.program, node));
    if (isNew)
        at->second = isUnder(m_term.text, at->first);
    return at->second;
}

bool NodeMatcher::matchesTag(NodeId id) const
{
    if (!m_snapshot.isCall(id))
        return false;
    const std::int32_t tag = m_tags[id];
    if (tag < 0)
        return m_term.text.isWhole("none") || m_term.text.isWhole("untagged");
    return m_term.text.isWhole(m_tags.order[static_cast<std::size_t>(tag)].view());
}

bool NodeMatcher::matchesBytes(std::uint64_t bytes) const
{
    using Comparison = NodeQuery::Comparison;
    switch (m_term.comparison) {
    case Comparison::equal: return bytes == m_term.bytes;
    case Comparison::less: return bytes < m_term.bytes;
    case Comparison::lessOrEqual: return bytes <= m_term.bytes;
    case Comparison::greater: return bytes > m_term.bytes;
    case Comparison::greaterOrEqual: return bytes >= m_term.bytes;
    }
    return false;
}

} // namespace sunder
