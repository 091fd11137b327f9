#include "analysis/legality/part_copies.h"

#include <algorithm>
#include <map>
#include <set>
#include <unordered_map>

namespace sunder {
namespace {

/// The copies of one memory. A part has its own copies of the program's tensors, of inputs, and of values from other parts; the
/// latter are in the state in which the other part ended.
class CopyRule {
public:
    CopyRule(const WrittenMemory& memory, std::span<const UsePlace> places) : m_uses(memory.uses), m_places(places)
    {
        for (std::uint32_t use = 0; use < m_uses.size(); ++use) {
            m_isInput = m_isInput || m_uses[use].from == StandsFor::input;
            if (m_places[use].part < 0)
                continue;
            if (m_uses[use].writes)
                m_firstWrite.try_emplace(m_places[use].part, use);
            if (m_uses[use].isLate)
                m_writesLate.insert(m_places[use].part);
        }
        for (std::uint32_t use = 0; m_isInput && use < m_uses.size(); ++use)
            if (m_places[use].part >= 0)
                m_firstUse.try_emplace(m_uses[use].call, use);
    }

    std::vector<CopyConflict> run()
    {
        for (std::uint32_t use = 0; use < m_uses.size(); ++use)
            if (m_places[use].part >= 0)
                addConflictsOf(use);
        std::vector<CopyConflict> found;
        for (const auto& [part, conflict] : m_found)
            found.push_back(conflict);
        return found;
    }

private:
    /// Returns whether a value comes from outside its part: from the program, its caller, or another part.
    [[nodiscard]] bool isCopy(std::uint32_t use) const
    {
        return m_uses[use].from != StandsFor::call || m_places[use].origin != m_places[use].part;
    }

    void addConflictsOf(std::uint32_t use)
    {
        if (!isCopy(use))
            return;
        for (const auto& [part, write] : m_firstWrite)
            if (part == m_places[use].part ? isSecondCopy(use) : missesWrite(use, write))
                add(write, use);
        if (!m_isInput || !m_uses[use].writes || m_uses[use].from != StandsFor::call)
            return;
        if (const auto origin = m_firstUse.find(m_uses[use].value); origin != m_firstUse.end()) // the caller owns its input
            add(use, origin->second);
    }

    /// Returns whether the copy that a use reads lacks a write of another part.
    [[nodiscard]] bool missesWrite(std::uint32_t use, std::uint32_t write) const
    {
        const std::int32_t reader = m_places[use].part;
        const std::int32_t writer = m_places[write].part;
        switch (m_uses[use].from) {
        case StandsFor::state: return true; // if not in this call, then in the next
        case StandsFor::input: return writer < reader && m_uses[use].call;
        case StandsFor::call: break;
        case StandsFor::token: return false;
        }
        if (m_places[use].origin < 0 || writer > reader)
            return false;
        const bool isResult = !m_uses[use].call; // read after all parts have run
        return m_places[use].origin < writer || (m_places[use].origin == writer && !isResult && m_writesLate.contains(writer));
    }

    /// For a part that writes: returns whether the memory reached it earlier as another copy.
    bool isSecondCopy(std::uint32_t use)
    {
        const auto [first, isNew] = m_firstCopy.try_emplace(m_places[use].part, use);
        const MemoryUse& one = m_uses[first->second];
        const MemoryUse& other = m_uses[use];
        if (isNew || (one.from == StandsFor::state && other.from == StandsFor::state))
            return false; // the part shares memory wherever the model does
        return one.value != other.value || one.from != other.from;
    }

    void add(std::uint32_t write, std::uint32_t read)
    {
        m_found.try_emplace(m_places[read].part, CopyConflict{m_places[write].part, m_places[read].part, write, read});
    }

    std::span<const MemoryUse> m_uses;
    std::span<const UsePlace> m_places;
    bool m_isInput = false; ///< the memory belongs to the caller
    std::set<std::int32_t> m_writesLate; ///< parts that write when they end
    std::unordered_map<NodeId, std::uint32_t> m_firstUse; ///< by call, if `m_isInput`
    std::map<std::int32_t, std::uint32_t> m_firstWrite; ///< by part
    std::map<std::int32_t, std::uint32_t> m_firstCopy; ///< by writing part
    std::map<std::int32_t, CopyConflict> m_found; ///< by reading part
};

} // namespace

std::vector<CopyConflict> copyConflicts(const WrittenMemory& memory, std::span<const UsePlace> places)
{
    return CopyRule(memory, places).run();
}

} // namespace sunder
