#include "analysis/legality/order_dependencies.h"

#include "analysis/run_order/memory_accesses.h"
#include "ir/getitem.h"
#include "ir/graph.h"
#include "ir/python_text.h"
#include "operators/operator_catalogue.h"

#include <algorithm>
#include <cstdint>
#include <map>
#include <string>
#include <tuple>
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
    const bool namesSetter = !node.args.empty() && node.args[0].is(ArgumentKind::node);
    const auto found = namesSetter ? m_entered.find(node.args[0].asNode()) : m_entered.end();
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

class OrderFinder {
public:
    OrderFinder(const Program& program, const RankedGraph& graph)
        : m_program(program), m_graph(graph),
          m_accesses(program, graph, MemoryClasses(program, graph, MemoryClasses::Doubt::merge)), m_catalogue(program),
          m_last(m_accesses.locations().count())
    {
    }

    OrderDependencies run()
    {
        m_found.noticesState.assign(m_graph.graph().idBound(), 0);
        for (std::uint32_t rank = 0; rank < m_graph.size(); ++rank)
            if (m_graph.node(rank).isCall())
                visit(rank);
        m_found.written = writtenMemories(m_program, m_graph, m_accesses);
        const std::vector<std::uint32_t> place = m_graph.graph().positions();
        std::ranges::stable_sort(m_found.pairs, {}, [&](const OrderDependency& order) {
            return std::tuple(place[order.after.index()], place[order.before.index()], order.reason);
        });
        return std::move(m_found);
    }

private:
    void visit(std::uint32_t rank)
    {
        for (const MemoryAccess& access : m_accesses.lists()[rank])
            if (needsOrder(rank, access))
                m_last.note(rank, access, [&](std::uint32_t before, bool writes) { add(before, rank, access, writes); });
        noteState(rank);
    }

    [[nodiscard]] bool needsOrder(std::uint32_t rank, const MemoryAccess& access) const
    {
        const MemoryLocations& locations = m_accesses.locations();
        if (access.location == locations.state)
            return access.writes; // noticesState describes the others
        if (access.location == locations.effects)
            return !m_accesses.effects(rank).asserts;
        if (access.location == locations.modules)
            return !locations.readsAny(m_graph.id(rank));
        return !access.usesFormOnly || m_accesses.isReshaped(access.location);
    }

    void add(std::uint32_t before, std::uint32_t after, const MemoryAccess& access, bool beforeWrites)
    {
        for (const std::uint32_t input : m_graph.inputs(after))
            if (input == before)
                return; // a data edge already implies the order
        const MemoryLocations& locations = m_accesses.locations();
        OrderDependency order{.before = m_graph.id(before),
                              .after = m_graph.id(after),
                              .reason = OrderReason::memory,
                              .beforeWrites = beforeWrites,
                              .afterWrites = access.writes,
                              .doubts = locations.doubts(access.location)};
        order.doubts |= {.isUnknownCall = !m_accesses.effects(before).known || !m_accesses.effects(after).known};
        if (access.location == locations.random)
            order.reason = OrderReason::random;
        else if (access.location == locations.effects)
            order.reason = OrderReason::effects;
        else if (access.location == locations.state)
            order.reason = OrderReason::state;
        else if (access.location < m_graph.size())
            order.memory = m_graph.id(access.location);
        m_found.pairs.push_back(order);
    }

    void noteState(std::uint32_t rank)
    {
        const NodeId id = m_graph.id(rank);
        if (m_accesses.effects(rank).setsState) {
            m_found.states.push_back({id, m_states.behind(m_graph.node(rank), id, m_catalogue)});
            return;
        }
        const Node& node = m_graph.node(rank);
        const bool isFunction = node.op == Op::callFunction || node.op == Op::callMethod;
        const CallRole role = isFunction ? m_catalogue.of(node).role : CallRole::invoke;
        const bool isUnpacking = takesItem(node) && !returnsTensor(node.args[0].asNode());
        const bool isForm = role == CallRole::query || role == CallRole::assertion || role == CallRole::container
            || role == CallRole::treeFlatten || role == CallRole::treeUnflatten || usesFormOnly(node);
        m_found.noticesState[id.index()] = isUnpacking || isForm ? 0 : 1;
    }

    [[nodiscard]] bool returnsTensor(NodeId id) const
    {
        const std::optional<Argument>& val = m_graph.graph()[id].meta.val;
        return !val || val->is(ArgumentKind::tensor);
    }

    const Program& m_program;
    const RankedGraph& m_graph;
    MemoryAccesses m_accesses;
    OperatorCatalog m_catalogue;
    StateChanges m_states;
    LastAccesses m_last;
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
