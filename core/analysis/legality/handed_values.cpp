#include "analysis/legality/handed_values.h"

#include "analysis/run_order/call_effects.h"
#include "ir/getitem.h"
#include "ir/tensor_meta.h"
#include "ir/value_kind.h"
#include "operators/call_facts.h"
#include "operators/operator_catalogue.h"

#include <algorithm>
#include <optional>
#include <utility>

namespace sunder {
namespace {

/// Returns whether an exported program can take a value as an input.
bool canPass(const Node& node)
{
    if (!node.meta.val)
        return false;
    return node.meta.val->is(ArgumentKind::tensor)
        || (node.meta.val->is(ArgumentKind::symbolic) && node.meta.val->asSymbolic().kind == SymbolKind::integer);
}

/// Returns whether a value is a number or Boolean, which is cheap to compute again.
bool isScalar(const Node& node)
{
    if (!node.meta.val)
        return false;
    switch (node.meta.val->kind()) {
    case ArgumentKind::symbolic:
    case ArgumentKind::boolean:
    case ArgumentKind::integer:
    case ArgumentKind::floating: return true;
    default: return false;
    }
}

/// Returns whether a tensor fills one block of memory, in some order of its dimensions, using hints for sizes and strides.
bool isDense(const TensorMeta& meta)
{
    std::vector<std::pair<std::uint64_t, std::uint64_t>> dimensions; // stride, size
    if (!meta.stride || meta.stride->size() != meta.shape.size())
        return false;
    for (std::size_t i = 0; i < meta.shape.size(); ++i) {
        const std::optional<std::uint64_t> size = sizeHint(meta.shape[i]);
        const std::optional<std::uint64_t> stride = sizeHint((*meta.stride)[i]);
        if (!size || !stride)
            return false;
        if (*size == 0)
            return true;
        if (*size > 1)
            dimensions.emplace_back(*stride, *size);
    }
    std::ranges::sort(dimensions);
    std::uint64_t next = 1;
    for (const auto& [stride, size] : dimensions) {
        if (stride != next)
            return false;
        next *= size; // wraps only for sizes beyond any memory
    }
    return true;
}

class LayoutReaderFinder {
public:
    LayoutReaderFinder(const Program& program, std::span<const WrittenMemory> written)
        : m_graph(program.rootGraph()), m_operators(program), m_isWritten(m_graph.idBound(), 0)
    {
        for (const WrittenMemory& memory : written)
            for (const MemoryUse& use : memory.uses)
                if (use.value)
                    m_isWritten[use.value.index()] = 1;
    }

    std::vector<LayoutReader> run()
    {
        for (const NodeId id : m_graph.nodes()) {
            const Node& node = m_graph[id];
            if (node.op != Op::callFunction && node.op != Op::callMethod)
                continue;
            const CallFacts does = factsOf(node);
            const bool shows = does.seesLayout && m_operators.of(node).known;
            const bool mayCopy = does.result == ResultMemory::maybe && does.shared.size() == 1;
            if (!shows && !mayCopy)
                continue;
            forEachNode(node.args, node.kwargs, [&](NodeId input) { follow(input, id, shows); });
        }
        return std::move(m_found);
    }

private:
    static constexpr int kMaxViews = 64; ///< in a chain from one value

    CallFacts factsOf(const Node& node)
    {
        CallFacts does = callFacts(m_operators.of(node), NodeArguments(node));
        settleConversion(does, m_graph, node);
        return does;
    }

    /// Adds the value, and those that it is a view of.
    void follow(NodeId value, NodeId call, bool shows)
    {
        for (int views = 0; m_graph[value].isCall() && views < kMaxViews; ++views) {
            const Node& node = m_graph[value];
            const TensorMeta* const meta = tensorOf(node.meta.val);
            if (node.op == Op::callModule)
                return;
            const CallFacts does = factsOf(node);
            const bool isOwn = does.result == ResultMemory::fresh || makesTensor(m_operators, m_graph, node);
            const bool isWritten = m_isWritten[value.index()] != 0 || m_isWritten[call.index()] != 0;
            const bool keepsForm = meta != nullptr ? isDense(*meta) : isOwn;
            if (shows ? !(isOwn && keepsForm) : isWritten && !keepsForm)
                m_found.push_back({value, call});
            if (isOwn || does.shared.size() != 1)
                return;
            const Argument& base = NodeArguments(node).argument(does.shared.front());
            if (!base.is(ArgumentKind::node))
                return;
            value = base.asNode();
        }
    }

    const Graph& m_graph;
    OperatorCatalog m_operators;
    std::vector<std::uint8_t> m_isWritten; ///< per NodeId: in written memory
    std::vector<LayoutReader> m_found;
};

} // namespace

bool returnsSeveral(const Node& node)
{
    return node.meta.val
        && (node.meta.val->is(ArgumentKind::tuple) || node.meta.val->is(ArgumentKind::list)
            || node.meta.val->is(ArgumentKind::dict));
}

HandedValues handedValues(const Program& program, std::span<const WrittenMemory> written)
{
    const Graph& graph = program.rootGraph();
    HandedValues found{.handings = std::vector<Handing>(graph.idBound(), Handing::never),
                       .owners = std::vector<NodeId>(graph.idBound())};
    std::vector<std::uint8_t> readsWritten(graph.idBound(), 0);
    for (const WrittenMemory& memory : written)
        for (const MemoryUse& use : memory.uses)
            if (use.call)
                readsWritten[use.call.index()] = 1;
    std::optional<EffectFinder> effects;
    const auto isPure = [&](NodeId id) {
        if (readsWritten[id.index()] != 0)
            return false;
        if (!effects)
            effects.emplace(program);
        return effects->of(graph[id]).isPure();
    };
    for (const NodeId id : graph.nodes()) {
        const Node& node = graph[id];
        found.owners[id.index()] = id;
        if (!node.isCall())
            continue;
        if (canPass(node))
            found.handings[id.index()] = Handing::passes;
        else if (isScalar(node) && isPure(id))
            found.handings[id.index()] = Handing::again;
        if (!isGetitem(node) || node.args.empty() || !node.args[0].is(ArgumentKind::node))
            continue;
        const NodeId of = node.args[0].asNode();
        if (graph[of].isCall() && returnsSeveral(graph[of]))
            found.owners[id.index()] = found.owners[of.index()];
    }
    return found;
}

std::vector<LayoutReader> layoutReaders(const Program& program, std::span<const WrittenMemory> written)
{
    return LayoutReaderFinder(program, written).run();
}

} // namespace sunder
