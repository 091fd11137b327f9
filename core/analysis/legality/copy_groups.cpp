#include "analysis/legality/copy_groups.h"

#include "support/sort_unique.h"

#include <algorithm>
#include <optional>
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
    }

    void add()
    {
        if (std::ranges::any_of(m_uses, &MemoryUse::isLate) || hasSeveralInputs() || isWrittenByProgram()) {
            addAll();
            return;
        }
        indexCalls();
        addState();
        addInput();
        for (std::uint32_t use = 0; use < m_uses.size(); ++use)
            if (m_uses[use].from == StandsFor::call && originOf(use) != kNone)
                addOfCall(use);
    }

private:
    static constexpr std::uint32_t kNone = LegalityTables::kNone;

    /// A call that uses the memory.
    struct Call {
        std::uint32_t call = 0;
        std::uint32_t origin = kNone; ///< of its last use
        bool writes = false;
        std::int64_t lastWrite = kBefore; ///< the first call that writes on the way from this one along the origins
    };
    static constexpr std::int64_t kBefore = -1; ///< earlier than all calls

    /// A write, and the two writes from it on whose values are the oldest among those with different values.
    struct Write {
        std::uint32_t use = 0;
        std::int64_t madeBy = kBefore; ///< the call that wrote its value, at the latest
        std::uint32_t oldest = 0; ///< index of a write
        std::uint32_t oldestOther = kNone;
    };

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
        for (std::uint32_t use = 0; use < m_uses.size(); ++use)
            if (m_uses[use].writes && callOf(use) == kNone)
                return true;
        return false;
    }

    void indexCalls()
    {
        for (std::uint32_t use = 0; use < m_uses.size(); ++use) {
            if (callOf(use) == kNone)
                continue;
            if (m_calls.empty() || m_calls.back().call != callOf(use))
                m_calls.push_back({.call = callOf(use)});
            m_calls.back().origin = originOf(use);
            m_calls.back().writes = m_calls.back().writes || m_uses[use].writes;
        }
        for (Call& call : m_calls) // origins come first
            call.lastWrite = call.writes ? call.call : lastWriteAt(call.origin);
        for (std::uint32_t use = 0; use < m_uses.size(); ++use)
            if (m_uses[use].writes)
                m_writes.push_back({.use = use, .madeBy = lastWriteAt(originOf(use))});
        for (std::size_t i = m_writes.size(); i-- > 0;)
            findOldest(static_cast<std::uint32_t>(i));
    }

    void findOldest(std::uint32_t at)
    {
        Write& write = m_writes[at];
        write.oldest = at;
        if (at + 1 == m_writes.size())
            return;
        const Write& next = m_writes[at + 1];
        for (const std::uint32_t other : {next.oldest, next.oldestOther}) {
            if (other == kNone)
                continue;
            const bool isOlder = m_writes[other].madeBy < m_writes[write.oldest].madeBy;
            if (valueOf(other) == valueOf(write.oldest))
                write.oldest = isOlder ? other : write.oldest;
            else if (isOlder)
                write.oldestOther = std::exchange(write.oldest, other);
            else if (write.oldestOther == kNone || m_writes[other].madeBy < m_writes[write.oldestOther].madeBy)
                write.oldestOther = other;
        }
    }

    [[nodiscard]] NodeId valueOf(std::uint32_t write) const { return m_uses[m_writes[write].use].value; }

    [[nodiscard]] const Call* find(std::uint32_t call) const
    {
        const auto at = std::ranges::lower_bound(m_calls, call, {}, &Call::call);
        return at != m_calls.end() && at->call == call ? &*at : nullptr;
    }

    [[nodiscard]] std::int64_t lastWriteAt(std::uint32_t call) const
    {
        const Call* found = call == kNone ? nullptr : find(call);
        return found != nullptr ? found->lastWrite : kBefore;
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
    void addInput()
    {
        std::vector<std::uint32_t> after;     // uses after a write, and the writes before them
        std::vector<std::uint32_t> unordered; // uses that a later write may precede, and the writes after them
        bool hasInput = false;
        for (std::uint32_t use = 0; use < m_uses.size(); ++use) {
            if (m_uses[use].from != StandsFor::input)
                continue;
            hasInput = true;
            if (callOf(use) == kNone)
                continue;
            if (!m_writes.empty() && callOf(m_writes.front().use) < callOf(use))
                after.push_back(callOf(use));
            if (const std::optional<std::uint32_t> next = firstWriteAfter(callOf(use)); next && !isBefore(use, *next))
                unordered.push_back(callOf(use));
        }
        if (!hasInput)
            return;
        const std::uint32_t last = after.empty() ? 0 : after.back();
        const std::uint32_t first = unordered.empty() ? kNone : unordered.front();
        for (const Write& write : m_writes) {
            if (callOf(write.use) < last)
                after.push_back(callOf(write.use));
            if (callOf(write.use) > first)
                unordered.push_back(callOf(write.use));
            if (m_uses[write.use].from == StandsFor::call)
                keep({originOf(write.use), callOf(write.use)}, false);
        }
        keep(std::move(after), false);
        keep(std::move(unordered), true);
    }

    void addOfCall(std::uint32_t use)
    {
        const std::uint32_t origin = originOf(use);
        const std::int64_t seen = lastWriteAt(origin);
        if (callOf(use) == kNone) { // the result of the program, read after all parts have run
            std::vector<std::uint32_t> calls{origin};
            for (const Write& write : m_writes)
                if (callOf(write.use) > seen)
                    calls.push_back(callOf(write.use));
            keep(std::move(calls), false);
        } else if (missesWrite(use, seen) || mayBeSecondCopy(use)) {
            keep({origin, callOf(use)}, true);
        }
    }

    /// Returns the index of the first write after a call.
    [[nodiscard]] std::optional<std::uint32_t> firstWriteAfter(std::uint32_t call) const
    {
        const auto at = std::ranges::upper_bound(m_writes, call, {}, [this](const Write& write) { return callOf(write.use); });
        return at == m_writes.end() ? std::nullopt : std::optional(static_cast<std::uint32_t>(at - m_writes.begin()));
    }

    /// Returns whether a use is surely not in a later part than the next write. Calls that only make views have no order.
    [[nodiscard]] bool isBefore(std::uint32_t use, std::uint32_t next) const
    {
        return m_uses[use].writes || std::ranges::binary_search(m_ordered, std::pair(callOf(use), callOf(m_writes[next].use)));
    }

    /// Returns whether a copy that has the writes up to `seen` may lack one that is before the use, or runs before it.
    [[nodiscard]] bool missesWrite(std::uint32_t use, std::int64_t seen) const
    {
        const std::optional<std::uint32_t> next = firstWriteAfter(callOf(use));
        if (next && !isBefore(use, *next))
            return true;
        for (std::uint32_t write = next.value_or(static_cast<std::uint32_t>(m_writes.size())); write-- > 0;)
            if (m_writes[write].use != use)
                return callOf(m_writes[write].use) > seen;
        return false;
    }

    /// Returns whether a part with a use and a later write may hold the memory twice.
    [[nodiscard]] bool mayBeSecondCopy(std::uint32_t use) const
    {
        const std::optional<std::uint32_t> next = firstWriteAfter(callOf(use));
        if (!next)
            return false;
        const auto isSecond = [&](std::uint32_t write) {
            return write != kNone && valueOf(write) != m_uses[use].value && m_writes[write].madeBy < callOf(use);
        };
        if (!isSecond(m_writes[*next].oldest) && !isSecond(m_writes[*next].oldestOther))
            return false;
        for (std::uint32_t write = *next; write < m_writes.size(); ++write)
            if (isSecond(write) && !isViewOf(originOf(m_writes[write].use), callOf(use)))
                return true;
        return false;
    }

    /// Returns whether a call is a certain earlier one, or a view that follows from it without a write.
    [[nodiscard]] bool isViewOf(std::uint32_t call, std::uint32_t earlier) const
    {
        while (call != kNone && call > earlier) {
            const Call* found = find(call);
            call = found != nullptr && !found->writes ? found->origin : kNone;
        }
        return call == earlier;
    }

    std::span<const MemoryUse> m_uses;
    std::span<const LegalityTables::CallUse> m_places;
    std::vector<Call> m_calls; ///< ascending
    std::vector<Write> m_writes; ///< in graph order
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
