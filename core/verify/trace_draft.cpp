#include "verify/trace_draft.h"

namespace sunder {
namespace {

std::uint64_t sizeOf(const Argument& argument)
{
    std::uint64_t size = 1;
    for (const Argument& item : argument.items())
        size += sizeOf(item);
    return size;
}

/// Returns the number of nodes and arguments in the file, counting repetitions.
std::uint64_t sizeOf(const Program& program)
{
    std::uint64_t size = program.tensors.size();
    for (const Graph& graph : program.graphs)
        for (const NodeId id : graph.nodes()) {
            ++size;
            for (const Argument& argument : graph.node(id).args)
                size += sizeOf(argument);
            for (const Keyword& keyword : graph.node(id).kwargs)
                size += sizeOf(keyword.value);
        }
    return size;
}

} // namespace

TraceDraft::TraceDraft(const Program& program_, Side side_, TraceContext& context_)
    : program(program_), side(side_), context(context_), terms(context.terms),
      mostValues(context.options.maxValues + 8 * sizeOf(program))
{
}

ValueId TraceDraft::add(Value value)
{
    trace.values.push_back(value);
    return ValueId(trace.values.size() - 1);
}

Operands TraceDraft::pool(std::span<const ValueId> values)
{
    const auto first = static_cast<std::uint32_t>(trace.operands.size());
    trace.operands.insert(trace.operands.end(), values.begin(), values.end());
    return {first, static_cast<std::uint32_t>(values.size())};
}

void TraceDraft::setUndecided(NodeRef node, std::string why)
{
    if (!trace.undecided)
        trace.undecided.emplace(node, std::move(why));
}

ValueId TraceDraft::unknown(NodeRef node, std::string why)
{
    setUndecided(node, std::move(why));
    return leaf(
        terms.make({.kind = TermKind::unmatched, .detail = static_cast<std::uint8_t>(side), .bits = trace.values.size()}));
}

ValueId TraceDraft::leaf(TermId term)
{
    return add({.kind = ValueKind::leaf, .term = term, .region = context.followMemory ? trace.regions.add(closures) : 0});
}

ValueId TraceDraft::constant(TermId term)
{
    return add({.kind = ValueKind::constant, .term = term});
}

TermId TraceDraft::functionTarget(InternedString name, Op op)
{
    terms.learn(name);
    return terms.make({.kind = TermKind::constant,
                       .detail = static_cast<std::uint8_t>(ArgumentKind::function),
                       .head = name.id(),
                       .bits = static_cast<std::uint64_t>(op)});
}

void TraceDraft::collectLeaves(ValueId id, std::vector<ValueId>& leaves) const
{
    if (at(id).kind == ValueKind::leaf) {
        leaves.push_back(id);
        return;
    }
    std::unordered_set<ValueId> seen;
    collectLeaves(id, leaves, seen);
}

void TraceDraft::collectLeaves(ValueId id, std::vector<ValueId>& leaves, std::unordered_set<ValueId>& seen) const
{
    const Value& value = at(id);
    ++work;
    if (value.kind == ValueKind::leaf)
        leaves.push_back(id);
    else if (value.kind == ValueKind::container && (value.depth < 2 || seen.insert(id).second)
             && work <= context.options.maxSteps)
        for (const ValueId item : trace.items(value))
            collectLeaves(item, leaves, seen);
}

void TraceDraft::collectAll(const TracedCall& call, std::vector<ValueId>& leaves) const
{
    for (const ValueId value : call.positional)
        collectLeaves(value, leaves);
    for (const auto& keyword : call.keywords)
        collectLeaves(keyword.second, leaves);
}

void TraceDraft::collectSlots(std::span<const std::uint32_t> slots, const TracedCall& call, std::vector<ValueId>& leaves) const
{
    for (const std::uint32_t slot : slots)
        collectLeaves(call.slot(slot), leaves);
}

bool TraceDraft::isTooLarge() const
{
    return work > context.options.maxSteps || trace.values.size() + trace.operands.size() > mostValues;
}

} // namespace sunder
