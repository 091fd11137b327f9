#include "analysis/legality/order_dependencies.h"

#include "analysis/legality/memory_locations.h"
#include "analysis/run_order/call_effects.h"
#include "analysis/run_order/memory_classes.h"
#include "ir/getitem.h"
#include "ir/graph.h"
#include "ir/python_text.h"
#include "operators/call_facts.h"
#include "operators/operator_catalogue.h"

#include <algorithm>
#include <cstdint>
#include <map>
#include <string>
#include <unordered_map>
#include <utility>

namespace sunder {
namespace {

/// Tracks global state across calls in order: entered and left regions, and fields that are set. Equal states have equal numbers
/// regardless of their history; 0 is the initial state. A setter with unknown effects creates a state that differs from all
/// earlier ones.
class StateChanges {
public:
    /// Returns the state after a setter. O(text of its arguments). Beyond 16 fields, every setter counts as unknown.
    std::uint32_t behind(const Node& node, NodeId id, OperatorCatalog& operators);

private:
    /// By name: ids of interned texts. Fields that were never set are absent.
    using Fields = std::map<std::string, std::uint32_t>;

    void enter(const Node& node, NodeId id, const std::string& field);
    void leave(const Node& node, NodeId id);
    [[nodiscard]] std::uint32_t value(const std::string& field) const;
    void set(const std::string& field, std::uint32_t value);
    void stir(NodeId id);

    struct Entered {
        std::string field;
        std::uint32_t before = 0; ///< 0: not set
        bool setsGradients = false; ///< inference mode sets grad mode too
        std::uint32_t gradModeBefore = 0;
    };

    Fields m_fields;
    std::unordered_map<NodeId, Entered> m_entered;
    std::uint32_t m_now = 0;
    std::map<Fields, std::uint32_t> m_numbers = {{Fields(), 0}};
};

constexpr std::size_t kMaxFields = 16;
const char* const kGradMode = "grad mode";
const char* const kInferenceMode = "inference mode";

PythonSpelling spelling()
{
    return {.node = [](NodeId id) { return "%" + std::to_string(id.index()); },
            .callable = [](InternedString name) { return name.str(); }};
}

std::string textOfArguments(const Node& node)
{
    std::string text;
    for (const Argument& argument : node.args)
        text += pythonRepr(argument, spelling()) + ",";
    for (const Keyword& keyword : node.kwargs)
        text += keyword.key.str() + "=" + pythonRepr(keyword.value, spelling()) + ",";
    return text;
}

std::uint32_t StateChanges::behind(const Node& node, NodeId id, OperatorCatalog& operators)
{
    const bool isFunction = node.op == Op::callFunction || node.op == Op::callMethod;
    const OperatorFacts* facts = isFunction ? &operators.of(node) : nullptr;
    const CallRole role = facts != nullptr ? facts->role : CallRole::stir;
    if (m_fields.size() > kMaxFields)
        stir(id);
    else if (role == CallRole::enter)
        enter(node, id, facts->field.str());
    else if (role == CallRole::leave)
        leave(node, id);
    else if (role == CallRole::setState)
        set(facts->field.str(),
            intern((facts->field.view() == kGradMode ? std::string() : node.target.str()) + textOfArguments(node)).id());
    else
        stir(id);
    m_now = m_numbers.try_emplace(m_fields, static_cast<std::uint32_t>(m_numbers.size())).first->second;
    return m_now;
}

void StateChanges::enter(const Node& node, NodeId id, const std::string& field)
{
    Entered entered{.field = field, .setsGradients = field == kInferenceMode};
    if (!entered.setsGradients && !node.args.empty()) // autocast has a separate setting per device type
        entered.field += " on " + pythonRepr(node.args[0], spelling());
    entered.before = value(entered.field);
    entered.gradModeBefore = value(kGradMode);
    // Without an explicit dtype, autocast inherits the current setting.
    set(entered.field, intern(textOfArguments(node) + " over " + std::to_string(m_now)).id());
    if (entered.setsGradients)
        set(kGradMode, intern(textOfArguments(node) + kInferenceMode).id());
    m_entered.insert_or_assign(id, std::move(entered));
}

void StateChanges::leave(const Node& node, NodeId id)
{
    const bool saysWhich = !node.args.empty() && node.args[0].is(ArgumentKind::node);
    const auto found = saysWhich ? m_entered.find(node.args[0].asNode()) : m_entered.end();
    if (found == m_entered.end()) {
        stir(id);
        return;
    }
    set(found->second.field, found->second.before);
    if (found->second.setsGradients)
        set(kGradMode, found->second.gradModeBefore);
}

std::uint32_t StateChanges::value(const std::string& field) const
{
    const auto found = m_fields.find(field);
    return found != m_fields.end() ? found->second : 0;
}

void StateChanges::set(const std::string& field, std::uint32_t value)
{
    if (value == 0)
        m_fields.erase(field);
    else
        m_fields[field] = value;
}

void StateChanges::stir(NodeId id)
{
    m_fields["other"] = intern(std::to_string(id.index())).id();
}

constexpr std::uint32_t kNoRank = NodeId::kInvalid;

/// An access of one call to a memory or stream.
struct CallTouch {
    std::uint32_t thing = 0;
    bool writes = false;
};

class OrderFinder {
public:
    OrderFinder(const Program& program, const RankedGraph& graph)
        : m_program(program), m_graph(graph), m_classes(program, graph, MemoryClasses::Doubt::merge),
          m_things(program, graph, m_classes), m_catalogue(program), m_effects(graph.size()), m_asksForm(graph.size(), 0),
          m_mayReshape(graph.size(), 0)
    {
    }

    OrderDependencies run()
    {
        findEffects();
        findWritten();
        m_found.noticesState.assign(m_graph.graph().idBound(), 0);
        m_chains.resize(m_things.count());
        for (std::uint32_t rank = 0; rank < m_graph.size(); ++rank)
            if (m_graph.node(rank).isCall())
                visit(rank);
        orderStates();
        m_found.written = writtenMemories(m_program, m_graph, m_things, m_effects, m_asksForm, m_isReshaped);
        const std::vector<std::uint32_t> place = m_graph.graph().positions();
        std::ranges::stable_sort(m_found.pairs, {}, [&](const OrderDependency& order) {
            return std::pair(place[order.after.index()], place[order.before.index()]);
        });
        return std::move(m_found);
    }

private:
    struct Chain {
        std::uint32_t writer = kNoRank;
        std::vector<std::uint32_t> readers; ///< since then
    };

    void findEffects()
    {
        EffectFinder finder(m_program);
        for (std::uint32_t rank = 0; rank < m_graph.size(); ++rank) {
            m_effects[rank] = finder.of(m_graph.node(rank));
            m_mayReshape[rank] = m_effects[rank].known ? 0 : 1;
            noteForm(rank);
        }
    }

    void noteForm(std::uint32_t rank)
    {
        const Node& node = m_graph.node(rank);
        if (node.op != Op::callFunction && node.op != Op::callMethod)
            return;
        const OperatorFacts& facts = m_catalogue.of(node);
        const CallFacts does = callFacts(facts, NodeArguments(node));
        if (!does.reshaped.empty() || !does.resized.empty())
            m_mayReshape[rank] = 1;
        const bool isView = does.result == ResultMemory::view || does.result == ResultMemory::is;
        const bool readsOne = facts.known && does.written.empty() && m_graph.inputs(rank).size() == 1;
        if (facts.role == CallRole::query || asksForm(node) || (isView && readsOne))
            m_asksForm[rank] = 1;
    }

    [[nodiscard]] bool writesHeld(std::uint32_t rank) const
    {
        const CallEffects& does = m_effects[rank];
        return does.writesBuffers || (does.writesHeld && m_things.readsAny(m_graph.id(rank)));
    }

    /// Finds written memory, the only memory that requires an order, and reshaped memory: reads of a shape only conflict with the
    /// latter.
    void findWritten()
    {
        m_isWritten.assign(m_things.count(), 0);
        m_isReshaped.assign(m_things.count(), 0);
        for (std::uint32_t rank = 0; rank < m_graph.size(); ++rank) {
            const auto note = [&](std::uint32_t thing) {
                m_isWritten[thing] = 1;
                m_isReshaped[thing] = m_isReshaped[thing] | m_mayReshape[rank];
            };
            for (const NodeId id : m_effects[rank].written)
                note(m_things.ofValue(m_graph.rank(id)));
            if (writesHeld(rank))
                m_things.forEachHeld(m_graph.id(rank), note);
        }
    }

    void visit(std::uint32_t rank)
    {
        const CallEffects& does = m_effects[rank];
        m_touches.clear();
        for (const NodeId id : does.written)
            touch(m_things.ofValue(m_graph.rank(id)), true);
        const std::vector<std::uint8_t>& matters = m_asksForm[rank] == 0 ? m_isWritten : m_isReshaped;
        const auto touchWhereItMatters = [&](std::uint32_t thing, bool writes) {
            if (matters[thing] != 0)
                touch(thing, writes);
        };
        for (const std::uint32_t input : m_graph.inputs(rank))
            touchWhereItMatters(m_things.ofValue(input), false);
        touchWhereItMatters(m_things.ofValue(rank), false);
        const bool writes = writesHeld(rank);
        m_things.forEachHeld(m_graph.id(rank), [&](std::uint32_t thing) { touchWhereItMatters(thing, writes); });
        if (does.random)
            touch(m_things.random, true);
        if (does.ordered && !does.asserts)
            touch(m_things.effects, true);
        for (const CallTouch& each : m_touches)
            chain(rank, each);
        noteState(rank);
    }

    void touch(std::uint32_t thing, bool writes)
    {
        const auto at = std::ranges::find(m_touches, thing, &CallTouch::thing);
        if (at == m_touches.end())
            m_touches.push_back({thing, writes});
        else
            at->writes = at->writes || writes;
    }

    void chain(std::uint32_t rank, const CallTouch& touch)
    {
        Chain& chain = m_chains[touch.thing];
        if (chain.writer != kNoRank && (!touch.writes || chain.readers.empty()))
            add(chain.writer, rank, touch, true);
        if (!touch.writes) {
            chain.readers.push_back(rank);
            return;
        }
        for (const std::uint32_t reader : chain.readers)
            add(reader, rank, touch, false);
        chain.writer = rank;
        chain.readers.clear();
    }

    void add(std::uint32_t before, std::uint32_t after, const CallTouch& touch, bool beforeWrites)
    {
        for (const std::uint32_t input : m_graph.inputs(after))
            if (input == before)
                return; // a data edge already implies the order
        OrderDependency order{.before = m_graph.id(before),
                              .after = m_graph.id(after),
                              .reason = OrderReason::memory,
                              .beforeWrites = beforeWrites,
                              .afterWrites = touch.writes,
                              .isKnown = m_effects[before].known && m_effects[after].known && m_things.isKnown(touch.thing)};
        if (touch.thing == m_things.random)
            order.reason = OrderReason::random;
        else if (touch.thing == m_things.effects)
            order.reason = OrderReason::effects;
        else if (touch.thing < m_graph.size())
            order.memory = m_graph.id(touch.thing);
        m_found.pairs.push_back(order);
    }

    void noteState(std::uint32_t rank)
    {
        const NodeId id = m_graph.id(rank);
        if (m_effects[rank].setsState) {
            m_found.states.push_back({id, m_states.behind(m_graph.node(rank), id, m_catalogue)});
            return;
        }
        const Node& node = m_graph.node(rank);
        const bool isFunction = node.op == Op::callFunction || node.op == Op::callMethod;
        const CallRole role = isFunction ? m_catalogue.of(node).role : CallRole::invoke;
        const bool takesApart = takesItem(node) && !givesTensor(node.args[0].asNode());
        const bool isForm = role == CallRole::query || role == CallRole::assertion || role == CallRole::container
            || role == CallRole::treeFlatten || role == CallRole::treeUnflatten || asksForm(node);
        m_found.noticesState[id.index()] = takesApart || isForm ? 0 : 1;
    }

    [[nodiscard]] bool givesTensor(NodeId id) const
    {
        const std::optional<Argument>& val = m_graph.graph()[id].meta.val;
        return !val || val->is(ArgumentKind::tensor);
    }

    /// Setters keep their order. Leaving a region takes the result of entering it, so that dependency is a data edge.
    void orderStates()
    {
        for (std::size_t i = 1; i < m_found.states.size(); ++i) {
            const NodeId before = m_found.states[i - 1].node;
            const NodeId after = m_found.states[i].node;
            const auto inputs = m_graph.inputs(m_graph.rank(after));
            if (std::ranges::find(inputs, m_graph.rank(before)) != inputs.end())
                continue;
            m_found.pairs.push_back({.before = before,
                                     .after = after,
                                     .reason = OrderReason::state,
                                     .isKnown = m_effects[m_graph.rank(before)].known && m_effects[m_graph.rank(after)].known});
        }
    }

    const Program& m_program;
    const RankedGraph& m_graph;
    MemoryClasses m_classes;
    MemoryLocations m_things;
    OperatorCatalog m_catalogue;
    StateChanges m_states;
    std::vector<CallEffects> m_effects; ///< per rank
    std::vector<std::uint8_t>
        m_asksForm; ///< per rank: 1 for calls that only use location and shape of their inputs: views, queries
    std::vector<std::uint8_t> m_mayReshape; ///< per rank: whether the call may change the shape of memory that it writes
    std::vector<std::uint8_t> m_isWritten; ///< per memory or stream
    std::vector<std::uint8_t> m_isReshaped; ///< per memory or stream
    std::vector<Chain> m_chains; ///< per memory or stream
    std::vector<CallTouch> m_touches; ///< of the current call
    OrderDependencies m_found;
};

} // namespace

std::string_view name(OrderReason reason)
{
    switch (reason) {
    case OrderReason::memory: return "memory";
    case OrderReason::random: return "random";
    case OrderReason::effects: return "effects";
    case OrderReason::state: break;
    }
    return "state";
}

OrderDependencies orderDependencies(const Program& program)
{
    const Result<RankedGraph> graph = RankedGraph::of(program.rootGraph());
    if (!graph)
        return {.pairs = {},
                .states = {},
                .written = {},
                .noticesState = std::vector<std::uint8_t>(program.rootGraph().idBound(), 0)};
    return OrderFinder(program, *graph).run();
}

} // namespace sunder
