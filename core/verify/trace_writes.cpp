// What calls in a trace write to.
#include "analysis/operator_names.h"
#include "verify/trace_builder.h"

#include <algorithm>

namespace sunder {
namespace {

/// Each value once, in the order of the arguments: equal calls of two programs list the same.
void keepFirst(std::vector<ValueId>& values)
{
    std::vector<ValueId> kept;
    for (const ValueId value : values)
        if (std::ranges::find(kept, value) == kept.end())
            kept.push_back(value);
    values = std::move(kept);
}

/// Argument lists can be long, and so can what they hold: past this many, order by number is as good.
constexpr std::size_t kFewValues = 64;

} // namespace

void TraceBuilder::collectAll(const Call& call, std::vector<ValueId>& leaves) const
{
    for (const ValueId value : call.positional)
        collectLeaves(value, leaves);
    for (const auto& keyword : call.keywords)
        collectLeaves(keyword.second, leaves);
}

void TraceBuilder::collectMasked(const OperatorFacts& facts, const Call& call, std::vector<ValueId>& written) const
{
    if (!call.keywords.empty()) // which of them stands for a position is not known here
        return collectAll(call, written);
    for (std::size_t i = 0; i < call.positional.size() && i < 32; ++i)
        if ((facts.written >> i & 1U) != 0)
            collectLeaves(call.positional[i], written);
}

bool TraceBuilder::updatesStatistics(const Node& node, const OperatorFacts& facts, const Call& call) const
{
    const ValueId flag = call.argument(facts.flag);
    const ValueId named = call.keyword("use_input_stats");
    const ValueId training = flag.isValid() ? flag : named.isValid() ? named : call.keyword("training");
    const bool defaultsToFalse = !training.isValid() && node.target.view() == "torch.nn.functional.batch_norm";
    return !defaultsToFalse && !isFalse(training);
}

void TraceBuilder::collectInPlace(const OperatorFacts& facts, const Call& call, std::vector<ValueId>& written) const
{
    ValueId inPlace = call.keyword("inplace");
    if (!inPlace.isValid() && facts.inPlaceFlag >= 0)
        inPlace = call.argument(static_cast<std::size_t>(facts.inPlaceFlag));
    if (!inPlace.isValid() || isFalse(inPlace))
        return;
    if (!call.positional.empty())
        collectLeaves(call.positional[0], written);
    else
        collectAll(call, written);
}

void TraceBuilder::collectOut(const Node& node, const Call& call, std::vector<ValueId>& written) const
{
    const OperatorName name = operatorName(node.target.view());
    const bool overloaded = !name.overload.empty() && name.overload != "default";
    for (const auto& [key, value] : call.keywords)
        if (isOutArgument(key.view()) && (overloaded || key.view().starts_with("out")))
            collectLeaves(value, written);
}

void TraceBuilder::markWritten(const OperatorFacts& facts, std::span<const ValueId> written)
{
    for (const ValueId value : written) {
        m_trace.regions.markWritten(at(value).region);
        if (facts.changesMetadata)
            m_trace.regions.markReshaped(at(value).region);
    }
}

void TraceBuilder::collectWrites(const Node& node, const OperatorFacts& facts, const Call& call,
                                 std::vector<ValueId>& written)
{
    if (facts.identityUnlessRandom && !isRandomCall(facts, call))
        return;
    switch (facts.write) {
    case WriteRule::none:
        break;
    case WriteRule::first:
        if (call.positional.empty())
            collectAll(call, written);
        else
            collectLeaves(call.positional[0], written);
        break;
    case WriteRule::all:
        collectAll(call, written);
        break;
    case WriteRule::mask:
        collectMasked(facts, call, written);
        break;
    case WriteRule::maskTraining:
        if (updatesStatistics(node, facts, call))
            collectMasked(facts, call, written);
        break;
    case WriteRule::maxNorm: {
        const ValueId flag = call.argument(facts.flag);
        const ValueId norm = flag.isValid() ? flag : call.keyword("max_norm");
        if (norm.isValid() && at(norm).term != m_terms.literal(Argument()))
            collectMasked(facts, call, written);
        break;
    }
    }
    collectInPlace(facts, call, written);
    collectOut(node, call, written);
    if (written.size() > kFewValues) {
        std::ranges::sort(written);
        written.erase(std::ranges::unique(written).begin(), written.end());
    } else {
        keepFirst(written);
    }
}

void TraceBuilder::collectMarked(Frame& frame, const Node& node, const Call& call, std::vector<ValueId>& marked) const
{
    if (!node.meta.mutated)
        return;
    std::vector<NodeId> nodes;
    forEachNode(node.args, node.kwargs, [&](NodeId input) { nodes.push_back(input); });
    for (const std::int32_t position : *node.meta.mutated) {
        if (position >= 0 && static_cast<std::size_t>(position) < nodes.size())
            collectLeaves(frame.values[nodes[static_cast<std::size_t>(position)].index()], marked);
        else
            collectAll(call, marked);
    }
    std::ranges::sort(marked);
    marked.erase(std::ranges::unique(marked).begin(), marked.end());
}

} // namespace sunder
