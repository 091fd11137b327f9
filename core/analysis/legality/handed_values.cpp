#include "analysis/legality/handed_values.h"

#include "analysis/run_order/call_effects.h"
#include "ir/getitem.h"

#include <optional>

namespace sunder {
namespace {

/// A value that an exported program can take as an input.
bool canPass(const Node& node)
{
    if (!node.meta.val)
        return false;
    return node.meta.val->is(ArgumentKind::tensor)
        || (node.meta.val->is(ArgumentKind::symbolic) && node.meta.val->asSymbolic().kind == SymbolKind::integer);
}

/// A number or Boolean, which is cheap to compute again.
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

} // namespace

bool givesSeveral(const Node& node)
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
        const CallEffects does = effects->of(graph[id]);
        return does.known && does.written.empty() && !does.random && !does.ordered && !does.setsState && !does.writesBuffers
            && !does.writesHeld;
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
        if (graph[of].isCall() && givesSeveral(graph[of]))
            found.owners[id.index()] = found.owners[of.index()];
    }
    return found;
}

} // namespace sunder
