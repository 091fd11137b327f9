#include "analysis/cut/value_bytes.h"

#include "analysis/run_order/dead_and_assert_nodes.h"
#include "ir/getitem.h"

namespace sunder {
namespace {

/// Returns the item that a getitem takes from a call, if the call's `val` contains it.
const Argument* itemTaken(const Graph& graph, const Node& node)
{
    const std::optional<std::int64_t> at = itemNumber(node);
    const std::optional<Argument>* whole = at ? &graph[node.args[0].asNode()].meta.val : nullptr;
    const std::span<const Argument> items = whole != nullptr && *whole ? (*whole)->items() : std::span<const Argument>();
    return at && *at >= 0 && static_cast<std::uint64_t>(*at) < items.size() ? &items[static_cast<std::size_t>(*at)] : nullptr;
}

/// Per NodeId: placeholders that are not tensors according to the signature: `None`, numbers, strings, objects, effect tokens.
/// Files omit `val` for some of them.
std::vector<char> inputsWithoutTensor(const Program& program)
{
    std::vector<char> found(program.rootGraph().idBound(), 0);
    if (!program.signature)
        return found;
    std::size_t next = 0;
    for (const NodeId id : program.rootGraph().nodes()) {
        if (program.rootGraph()[id].op != Op::placeholder || next == program.signature->inputs.size())
            continue;
        const InputSpec& input = program.signature->inputs[next++];
        const bool isLiteral = input.kind == InputKind::user && !input.value.is(ArgumentKind::node);
        found[id.index()] = isLiteral || input.kind == InputKind::object || input.kind == InputKind::token ? 1 : 0;
    }
    return found;
}

} // namespace

std::optional<std::uint64_t> ValueBytes::described(const Node& node) const
{
    if (node.meta.val)
        return byteSize(*node.meta.val);
    if (const Argument* item = itemTaken(m_program.rootGraph(), node); item != nullptr)
        return byteSize(*item);
    if (node.op == Op::getAttr && m_program.modules.resolve(node.target.view()))
        return 0;
    if (node.isCall() && node.userCount() == 0)
        return 0;
    return std::nullopt;
}

std::optional<std::uint64_t> ValueBytes::of(NodeId id)
{
    const std::optional<std::uint64_t> bytes = described(m_program.rootGraph()[id]);
    if (bytes)
        return bytes;
    if (!m_isNothing) {
        m_isNothing = inputsWithoutTensor(m_program);
        const std::vector<char> deadNodes = deadAndAssertNodes(m_program, m_program.root);
        for (std::size_t i = 0; i < deadNodes.size(); ++i)
            (*m_isNothing)[i] = static_cast<char>((*m_isNothing)[i] | deadNodes[i]);
    }
    return (*m_isNothing)[id.index()] != 0 ? std::optional<std::uint64_t>(0) : std::nullopt;
}

} // namespace sunder
