#include "passes/deduplicate/shared_graph_builder.h"

#include "ir/getitem.h"
#include "passes/building/result_program.h"
#include "passes/deduplicate/replacement.h"
#include "passes/deduplicate/upstream_subgraph.h"
#include "support/progress_monitor.h"

#include <algorithm>
#include <deque>
#include <functional>
#include <numeric>
#include <queue>
#include <unordered_map>

namespace sunder {
namespace {

bool isSequence(const Argument& val)
{
    return isTuple(val) || val.is(ArgumentKind::list);
}

/// Returns the number of values in a tuple, counting nested tuples and their items: the number of getitems that expanding it
/// creates.
std::uint32_t expandedCount(const Argument& val)
{
    std::uint32_t count = 0;
    for (const Argument& item : val.items())
        count += 1 + (isSequence(item) ? expandedCount(item) : 0);
    return count;
}

} // namespace

SharedGraphBuilder::SharedGraphBuilder(const Program& source, const RankedGraph& graph, Namespace names, ProgressMonitor& monitor)
    : m_source(source), m_graph(graph), m_monitor(monitor), m_names(std::move(names)), m_valueItem(graph.size()),
      m_sameAs(graph.size()), m_stepItem(graph.size())
{
    m_result.program = withoutRootGraph(source);
    m_items.reserve(graph.size() + graph.size() / 4);
    for (std::uint32_t rank = 0; rank < graph.size(); ++rank)
        m_items.push_back({.kind = Kind::source, .of = rank});
    std::iota(m_valueItem.begin(), m_valueItem.end(), 0U);
    std::iota(m_sameAs.begin(), m_sameAs.end(), 0U);
    std::iota(m_stepItem.begin(), m_stepItem.end(), 0U);
}

std::uint32_t SharedGraphBuilder::addItem(Item item)
{
    m_items.push_back(item);
    return static_cast<std::uint32_t>(m_items.size() - 1);
}

InternedString SharedGraphBuilder::nameOf(std::uint32_t rank) const
{
    return isResult(rank) ? m_items[m_valueItem[rank]].name : m_graph.node(rank).name;
}

void SharedGraphBuilder::abandon(std::span<const NodeId> region, std::string why)
{
    m_result.abandoned.push_back({{region.begin(), region.end()}, std::move(why)});
}

/// Adds a getitem for each value in a tuple, including nested ones, breadth first, each directly after its source.
void SharedGraphBuilder::addExpanded(Graph& graph, NodeId whole, const Argument& val, Arguments& results) const
{
    std::deque<std::pair<NodeId, Argument>> todo{{whole, val}};
    for (; !todo.empty(); todo.pop_front()) {
        const auto [from, tuple] = todo.front();
        for (std::size_t i = 0; i < tuple.items().size(); ++i) {
            const InsertScope behind(graph, Graph::InsertPoint::after(from));
            NodeSpec spec = getitemSpec(from, i);
            spec.meta.val = tuple.items()[i];
            spec.meta.valFrom = graph.node(whole).meta.valFrom;
            results.push_back(Argument::node(graph.create(std::move(spec))));
            if (isSequence(tuple.items()[i]))
                todo.emplace_back(results.back().asNode(), tuple.items()[i]);
        }
    }
}

void SharedGraphBuilder::beginGroup(const GroupPlan& plan, std::span<const std::uint32_t> reference, std::size_t group)
{
    const InternedString name = freeSubgraphName(m_result.program);
    const GraphId id = addSubgraph(m_result.program, name);
    Graph& graph = m_result.program.graph(id);
    std::unordered_map<std::uint32_t, NodeId> inner; ///< rank → node of the subgraph
    for (std::size_t i = 0; i < plan.operands.size(); ++i) {
        const RegionOperand& operand = plan.operands[i];
        const std::uint32_t rank = operandOf(m_graph, reference, operand);
        const std::string target = operand.isPart
            ? "supgraph_input_" + nameOf(operand.container).str() + "_flattened_" + std::to_string(operand.place)
            : "subgraph_input_" + nameOf(rank).str();
        inner[rank] = graph.create(
            {.op = Op::placeholder, .name = {}, .target = intern(target), .meta = {.val = plan.described[i]}});
    }
    for (const TwinOperand& twin : plan.twins)
        inner[operandOf(m_graph, reference, twin.operand)] = inner.at(operandOf(m_graph, reference, plan.operands[twin.of]));
    const auto local = [&](NodeId input) { return Argument::node(inner.at(m_graph.rank(input))); };
    Arguments results;
    auto output = plan.outputs.begin();
    m_copies.assign(reference.size(), {});
    for (const std::uint32_t place : plan.inner) {
        m_copies[place] = graph.copy(m_graph.graph(), m_graph.id(reference[place]), local);
        inner[reference[place]] = m_copies[place];
        if (output == plan.outputs.end() || *output != place)
            continue;
        ++output;
        const auto& val = m_graph.node(reference[place]).meta.val;
        if (val && isSequence(*val))
            addExpanded(graph, m_copies[place], *val, results);
        else
            results.push_back(Argument::node(m_copies[place]));
    }
    for (const RegionOperand& operand : plan.operands)
        if (operand.isPart)
            m_copies[operand.place] = inner.at(reference[operand.place]);
    graph.create({.op = Op::output, .name = {}, .target = intern("output"), .args = {Argument::tuple(std::move(results))}});
    aliasCalledModules(m_result.program, id);
    m_result.subgraphs.push_back({.name = name, .graph = id, .group = group, .calls = {}});
    m_attributes.push_back(addItem({.kind = Kind::attribute, .of = 0, .name = m_names.create(name), .target = name}));
}

std::uint32_t SharedGraphBuilder::addResult(Call& call, std::uint32_t number, std::uint32_t rank)
{
    const std::uint32_t item = addItem(
        {.kind = Kind::result, .of = call.item, .number = number, .carries = rank, .name = m_names.create("getitem")});
    if (!isResult(rank))
        m_valueItem[rank] = item;
    return item;
}

/// Makes the nodes that take items of a region's tuple, inside or outside the region, results of the call. Uses PyTorch's order:
/// depth first, the last user first, each directly after the call.
void SharedGraphBuilder::replaceParts(Call& call, std::uint32_t first, std::uint32_t tuple, const Argument& val)
{
    // Number breadth first: items of one tuple are consecutive; items of nested tuples follow, tuple by tuple.
    std::unordered_map<const Argument*, std::uint32_t> firstIn;
    std::deque<const Argument*> rows{&val};
    for (std::uint32_t next = first; !rows.empty(); rows.pop_front()) {
        firstIn[rows.front()] = next;
        next += static_cast<std::uint32_t>(rows.front()->items().size());
        for (const Argument& item : rows.front()->items())
            if (isSequence(item))
                rows.push_back(&item);
    }
    std::vector<std::pair<std::uint32_t, const Argument*>> todo; ///< an item, and the tuple that contains it
    const auto addParts = [&](std::uint32_t whole, const Argument* from) {
        for (const NodeId user : m_graph.graph().users(m_graph.id(whole)))
            if (const std::uint32_t rank = m_graph.rank(user); takesItem(m_graph.node(rank)) && !isResult(rank))
                todo.emplace_back(rank, from);
    };
    addParts(tuple, &val);
    std::vector<std::uint32_t> made;
    while (!todo.empty()) {
        const auto [part, from] = todo.back();
        todo.pop_back();
        const Argument& index = m_graph.node(part).args[1];
        const std::int64_t at = index.is(ArgumentKind::boolean) ? (index.asBoolean() ? 1 : 0) : index.asInteger();
        if (at < 0 || static_cast<std::size_t>(at) >= from->items().size())
            continue;
        const Argument& item = from->items()[static_cast<std::size_t>(at)];
        if (isSequence(item))
            addParts(part, &item);
        made.push_back(addResult(call, firstIn.at(from) + static_cast<std::uint32_t>(at), part));
        if (m_stepItem[part] == part)
            m_stepItem[part] = made.back();
    }
    call.after.insert(call.after.begin(), made.rbegin(), made.rend());
}

void SharedGraphBuilder::addCall(const GroupPlan& plan, std::span<const std::uint32_t> reference,
                                 std::span<const std::uint32_t> region, std::size_t number)
{
    m_result.subgraphs.back().regions.push_back(number);
    Call call{.attribute = m_attributes.back(), .operands = {}, .inner = {}};
    for (const RegionOperand& operand : plan.operands)
        call.operands.push_back(operandOf(m_graph, region, operand));
    for (const std::uint32_t place : plan.inner)
        call.inner.push_back(region[place]);
    call.item = addItem(
        {.kind = Kind::call, .of = static_cast<std::uint32_t>(m_calls.size()), .name = m_names.create("invoke_subgraph")});
    for (const std::uint32_t rank : call.inner) {
        m_stepItem[rank] = call.item;
        m_valueItem[rank] = kNone;
    }
    for (const SameValue& same : plan.same)
        m_sameAs[region[same.place]] = same.isOperand ? call.operands[same.of] : region[same.of];
    std::uint32_t result = 0;
    for (const std::uint32_t place : plan.outputs) {
        const auto& val = m_graph.node(reference[place]).meta.val;
        call.returned.push_back(region[place]);
        if (val && isSequence(*val)) {
            replaceParts(call, result, region[place], *val);
            result += expandedCount(*val);
        } else {
            call.after.push_back(addResult(call, result++, region[place]));
        }
    }
    const GraphId subgraph = m_result.subgraphs.back().graph;
    for (std::size_t place = 0; place < region.size(); ++place)
        if (m_copies[place])
            m_result.map.add({m_source.root, m_graph.id(region[place])}, {subgraph, m_copies[place]}, plan.isInner[place] == 0);
    m_result.subgraphs.back().calls.push_back(NodeId(call.item)); // an item number, which finish() replaces by the node
    m_calls.push_back(std::move(call));
}

/// Returns PyTorch's list before its sort: attributes in reverse order, remaining source nodes, then calls with their results.
std::vector<std::uint32_t> SharedGraphBuilder::listItems() const
{
    std::vector<std::uint32_t> items(m_attributes.rbegin(), m_attributes.rend());
    for (std::uint32_t rank = 0; rank < m_graph.size(); ++rank)
        if (m_stepItem[rank] == rank)
            items.push_back(rank);
    for (const Call& call : m_calls) {
        items.push_back(call.item);
        items.insert(items.end(), call.after.begin(), call.after.end());
    }
    return items;
}

void SharedGraphBuilder::addNeeds(const MemoryDependencies& dependencies)
{
    // A replaced getitem runs at the place of its result, which inherits its dependencies.
    std::vector<std::uint32_t> partOf(m_items.size(), kNone);
    for (std::uint32_t rank = 0; rank < m_graph.size(); ++rank)
        if (m_items[m_stepItem[rank]].kind == Kind::result)
            partOf[m_stepItem[rank]] = rank;
    std::vector<std::uint32_t> seenBy(m_items.size(), kNone);
    for (std::uint32_t at = 0; at < m_items.size(); ++at) {
        const auto need = [&](std::uint32_t item) {
            if (item != at && std::exchange(seenBy[item], at) != at)
                m_needs.add(item);
        };
        const auto needEarlier = [&](std::uint32_t rank) {
            for (const std::uint32_t earlier : dependencies.earlier(rank))
                need(m_stepItem[earlier]);
        };
        const Item& item = m_items[at];
        if (item.kind == Kind::source && m_stepItem[item.of] == at) {
            for (const std::uint32_t input : m_graph.inputs(item.of))
                need(itemOf(input));
            needEarlier(item.of);
        } else if (item.kind == Kind::result) {
            need(item.of);
            if (partOf[at] != kNone)
                needEarlier(partOf[at]);
        } else if (item.kind == Kind::call) {
            need(m_calls[item.of].attribute);
            for (const std::uint32_t operand : m_calls[item.of].operands)
                need(itemOf(operand));
            std::ranges::for_each(m_calls[item.of].inner, needEarlier);
        }
        m_needs.endList();
    }
}

/// Returns the value of a call: a tuple of all results, if the value of each is recorded.
std::optional<Argument> SharedGraphBuilder::valOf(const Call& call) const
{
    Arguments results;
    for (const std::uint32_t rank : call.returned) {
        const std::optional<Argument>& val = m_graph.node(rank).meta.val;
        if (!val || isSequence(*val))
            return std::nullopt;
        results.push_back(*val);
    }
    return Argument::tuple(std::move(results));
}

NodeSpec SharedGraphBuilder::specOf(const Item& item, const std::vector<NodeId>& made) const
{
    const auto value = [&](NodeId id) { return Argument::node(made[itemOf(m_graph.rank(id))]); };
    if (item.kind == Kind::source) {
        const Node& node = m_graph.node(item.of);
        return specWith(node, mapNodes(node.args, value), mapNodes(node.kwargs, value));
    }
    if (item.kind == Kind::attribute)
        return {.op = Op::getAttr, .name = item.name, .target = item.target};
    if (item.kind == Kind::result) {
        NodeSpec spec = getitemSpec(made[item.of], item.number);
        spec.name = item.name;
        spec.meta = m_graph.node(item.carries).meta;
        spec.meta.regionKey = {};
        spec.meta.mutated.reset();
        return spec;
    }
    const Call& call = m_calls[item.of];
    NodeSpec spec{.op = Op::callFunction, .name = item.name, .target = intern("torch.ops.higher_order.invoke_subgraph")};
    spec.meta.val = valOf(call);
    spec.args = {Argument::node(made[call.attribute]), Argument::string(m_items[call.attribute].target)};
    for (const std::uint32_t operand : call.operands)
        spec.args.push_back(value(m_graph.id(operand)));
    return spec;
}

Result<void> SharedGraphBuilder::writeGraph(std::span<const std::uint32_t> order)
{
    Graph& graph = m_result.program.rootGraph();
    graph.reserve(order.size());
    std::vector<NodeId> made(m_items.size());
    StepMonitor steps(m_monitor);
    for (const std::uint32_t item : order) {
        SUNDER_PROPAGATE(steps.step());
        made[item] = graph.append(specOf(m_items[item], made));
    }
    std::vector<NodeId> holders(m_source.rootGraph().idBound());
    for (std::uint32_t rank = 0; rank < m_graph.size(); ++rank) {
        SUNDER_PROPAGATE(steps.step());
        if (itemOf(rank) == kNone)
            continue;
        const NodeId holder = made[itemOf(rank)];
        holders[m_graph.id(rank).index()] = holder;
        m_result.map.add({m_source.root, m_graph.id(rank)}, {m_source.root, holder}, itemOf(rank) != rank);
    }
    for (SharedSubgraph& subgraph : m_result.subgraphs)
        for (NodeId& call : subgraph.calls)
            call = made[call.index()];
    carrySignature(m_source, holders, m_result.program);
    return m_monitor.check();
}

/// Sorts topologically; among the ready items the first in the source comes next. A call has the position of its last node.
std::optional<std::vector<std::uint32_t>> SharedGraphBuilder::sourceOrder(std::span<const std::uint32_t> items,
                                                                          std::uint32_t output) const
{
    using Place = std::pair<std::uint32_t, std::uint32_t>; // rank, item
    const auto placeOf = [&](std::uint32_t at) -> Place {
        const Item& item = m_items[at];
        if (at == output)
            return {kNone, at};
        if (item.kind == Kind::source)
            return {item.of + 1, at};
        if (item.kind == Kind::attribute)
            return {0, at};
        const Item& call = item.kind == Kind::call ? item : m_items[item.of];
        return {*std::ranges::max_element(m_calls[call.of].inner) + 1, at};
    };
    std::vector<std::pair<std::uint32_t, std::uint32_t>> uses;
    std::vector<std::uint32_t> missing(m_items.size(), 0);
    for (const std::uint32_t item : items)
        for (const std::uint32_t need : m_needs[item]) {
            uses.emplace_back(need, item);
            ++missing[item];
        }
    const NumberLists users(m_items.size(), uses);
    std::priority_queue<Place, std::vector<Place>, std::greater<>> ready;
    for (const std::uint32_t item : items)
        if (missing[item] == 0)
            ready.push(placeOf(item));
    std::vector<std::uint32_t> order;
    while (!ready.empty()) {
        order.push_back(ready.top().second);
        ready.pop();
        for (const std::uint32_t user : users[order.back()])
            if (--missing[user] == 0)
                ready.push(placeOf(user));
    }
    if (order.size() != items.size())
        return std::nullopt;
    return order;
}

Result<DedupResult> SharedGraphBuilder::finish(const MemoryDependencies& dependencies, CallOrder callOrder)
{
    addNeeds(dependencies);
    SUNDER_PROPAGATE(m_monitor.check());
    const NodeId outputNode = m_source.rootGraph().output();
    const std::uint32_t output = outputNode ? m_graph.rank(outputNode) : kNone;
    const std::vector<std::uint32_t> items = listItems();
    const auto order = callOrder == CallOrder::asSource ? sourceOrder(items, output)
                                                        : stableOrder(items, static_cast<std::uint32_t>(m_items.size()), output,
                                                                      [this](std::uint32_t item) { return m_needs[item]; });
    if (!order)
        return fail(ErrorCode::refused, "the calls that would replace the regions depend on each other");
    SUNDER_PROPAGATE(writeGraph(*order));
    for (std::size_t i = 0; i < m_source.graphs.size(); ++i)
        if (GraphId(i) != m_source.root)
            for (const NodeId id : m_source.graphs[i].nodes())
                m_result.map.add({GraphId(i), id}, {GraphId(i), id});
    m_result.map.finish();
    return std::move(m_result);
}

} // namespace sunder
