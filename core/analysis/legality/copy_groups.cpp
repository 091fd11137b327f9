#include "analysis/legality/copy_groups.h"

#include "support/sort_unique.h"

#include <algorithm>
#include <initializer_list>
#include <span>
#include <utility>

namespace sunder {
namespace {

/// Pairs of calls (before, after) whose parts are in this order, ascending.
using OrderedPairs = std::vector<std::pair<std::uint32_t, std::uint32_t>>;

/// The groups because of one memory. Calls are compared by number, which is their order in the graph.
class MemoryGroups {
public:
    MemoryGroups(const WrittenMemory& memory, std::span<const LegalityTables::CallUse> places, const OrderedPairs& ordered,
                 CopyGroups& found)
        : m_uses(memory.uses), m_places(places), m_ordered(ordered), m_found(found)
    {
        for (std::uint32_t use = 0; use < m_uses.size(); ++use)
            if (m_uses[use].writes)
                m_writes.push_back(use);
    }

    void add()
    {
        if (std::ranges::any_of(m_uses, &MemoryUse::isLate) || hasSeveralInputs() || isWrittenByProgram()) {
            addAll();
            return;
        }
        addState();
        for (std::uint32_t use = 0; use < m_uses.size(); ++use) {
            if (m_uses[use].from == StandsFor::input)
                addOfInput(use);
            else if (m_uses[use].from == StandsFor::call && m_places[use].origin != kNone)
                addOfCall(use);
        }
    }

private:
    static constexpr std::uint32_t kNone = LegalityTables::kNone;

    [[nodiscard]] std::uint32_t callOf(std::uint32_t use) const { return m_places[use].call; }
    [[nodiscard]] std::uint32_t originOf(std::uint32_t use) const { return m_places[use].origin; }

    [[nodiscard]] bool hasSeveralInputs() const
    {
        NodeId input;
        for (const MemoryUse& use : m_uses) {
            if (use.from != StandsFor::input)
                continue;
            if (input && input != use.value)
                return true;
            input = use.value;
        }
        return false;
    }

    [[nodiscard]] bool isWrittenByProgram() const
    {
        return std::ranges::any_of(m_writes, [&](std::uint32_t write) { return callOf(write) == kNone; });
    }

    void keep(std::initializer_list<std::uint32_t> calls, bool isStricter)
    {
        keep(std::vector<std::uint32_t>(calls), isStricter);
    }

    void keep(std::vector<std::uint32_t> calls, bool isStricter)
    {
        std::erase(calls, kNone);
        sortUnique(calls);
        if (calls.size() < 2)
            return;
        m_found.isStricter = m_found.isStricter || isStricter;
        m_found.groups.push_back(std::move(calls));
    }

    void addAll()
    {
        std::vector<std::uint32_t> calls;
        for (const LegalityTables::CallUse& place : m_places) {
            calls.push_back(place.call);
            calls.push_back(place.origin);
        }
        keep(std::move(calls), std::ranges::any_of(m_places, [](const auto& place) { return place.origin != kNone; }));
    }

    /// A part with state of the program sees the writes of other parts neither in this call nor in the next.
    void addState()
    {
        std::vector<std::uint32_t> calls;
        bool hasState = false;
        for (std::uint32_t use = 0; use < m_uses.size(); ++use) {
            hasState = hasState || m_uses[use].from == StandsFor::state;
            if (m_uses[use].from == StandsFor::state || m_uses[use].writes)
                calls.push_back(callOf(use));
        }
        if (hasState)
            keep(std::move(calls), false);
    }

    /// Each part gets the caller's input as it was before the call, and the caller sees only writes to the input itself.
    void addOfInput(std::uint32_t use)
    {
        for (const std::uint32_t write : m_writes) {
            if (write != use && callOf(use) != kNone && !isBefore(use, write))
                keep({callOf(write), callOf(use)}, callOf(write) > callOf(use));
            if (m_uses[write].from == StandsFor::call)
                keep({originOf(write), callOf(write)}, false);
        }
    }

    void addOfCall(std::uint32_t use)
    {
        const std::uint32_t origin = originOf(use);
        for (const std::uint32_t write : m_writes) {
            if (callOf(use) == kNone) { // the result of the program, read after all parts have run
                if (!isAfter(origin, callOf(write)))
                    keep({origin, callOf(write)}, false);
            } else if (write != use && !(isBefore(use, write) ? isOneCopy(use, write) : isAfter(origin, callOf(write)))) {
                keep({origin, callOf(use)}, true);
            }
        }
    }

    /// Returns whether a use is surely not in a later part than a later write. Calls that only make views have no order.
    [[nodiscard]] bool isBefore(std::uint32_t use, std::uint32_t write) const
    {
        const std::uint32_t call = callOf(use);
        if (callOf(write) <= call)
            return false;
        const auto next = std::ranges::find_if(m_writes, [&](std::uint32_t later) { return callOf(later) > call; });
        return m_uses[use].writes || std::ranges::binary_search(m_ordered, std::pair(call, callOf(*next)));
    }

    /// Returns whether a call is surely not in an earlier part than a write: it is that write, a later one, or gets its value from
    /// such a call.
    [[nodiscard]] bool isAfter(std::uint32_t call, std::uint32_t write) const
    {
        while (call != kNone && call >= write) {
            if (call == write)
                return true;
            std::uint32_t origin = kNone;
            for (std::uint32_t use = 0; use < m_uses.size(); ++use) {
                if (callOf(use) != call)
                    continue;
                if (m_uses[use].writes)
                    return true;
                origin = originOf(use);
            }
            call = origin;
        }
        return false;
    }

    /// Returns whether a part with a use and a later write surely holds the memory once.
    [[nodiscard]] bool isOneCopy(std::uint32_t use, std::uint32_t write) const
    {
        const bool isSame = m_uses[use].value == m_uses[write].value && m_uses[use].from == m_uses[write].from;
        return isSame || (originOf(write) != kNone && isAfter(originOf(write), callOf(use)));
    }

    std::span<const MemoryUse> m_uses;
    std::span<const LegalityTables::CallUse> m_places;
    std::vector<std::uint32_t> m_writes; ///< uses, in graph order
    const OrderedPairs& m_ordered;
    CopyGroups& m_found;
};

} // namespace

CopyGroups copyGroups(const LegalityTables& tables)
{
    OrderedPairs ordered;
    for (const LegalityTables::Edge& edge : tables.edges)
        ordered.emplace_back(edge.from, edge.to);
    for (const LegalityTables::OrderedCalls& calls : tables.orderedCalls)
        ordered.emplace_back(calls.before, calls.after);
    std::ranges::sort(ordered);
    CopyGroups found;
    for (std::size_t memory = 0; memory < tables.uses.size(); ++memory)
        MemoryGroups(tables.written[memory], tables.uses[memory], ordered, found).add();
    return found;
}

} // namespace sunder
