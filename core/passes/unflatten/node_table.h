#pragma once

#include "ir/ids.h"

#include <algorithm>
#include <bit>
#include <cstdint>
#include <vector>

namespace sunder {

/// A compact hash map from nodes of one graph to nodes of another, without an allocation per entry. Entries are never removed.
/// Linear probing, load factor at most 3/4.
class NodeTable {
public:
    /// Returns the value of a key; invalid if there is none.
    [[nodiscard]] NodeId find(NodeId key) const { return m_slots.empty() ? NodeId() : m_slots[indexOf(key)].value; }

    /// Sets a value. Returns true if the key is new.
    bool set(NodeId key, NodeId value)
    {
        if ((m_size + 1) * 4 > m_slots.size() * 3)
            grow();
        Slot& slot = m_slots[indexOf(key)];
        const bool isNew = !slot.key.isValid();
        m_size += isNew ? 1 : 0;
        slot = {key, value};
        return isNew;
    }

    /// Empties the table; small tables keep their memory.
    void clear()
    {
        if (m_slots.size() > 256)
            m_slots.clear();
        std::fill(m_slots.begin(), m_slots.end(), Slot());
        m_size = 0;
    }

private:
    struct Slot {
        NodeId key;
        NodeId value;
    };

    [[nodiscard]] std::size_t indexOf(NodeId key) const
    {
        const std::size_t mask = m_slots.size() - 1;
        std::size_t at = (key.index() * 0x9E3779B97F4A7C15ULL >> 20U) & mask;
        while (m_slots[at].key.isValid() && m_slots[at].key != key)
            at = (at + 1) & mask;
        return at;
    }

    void grow()
    {
        std::vector<Slot> old(std::max<std::size_t>(8, m_slots.size() * 2));
        old.swap(m_slots);
        for (const Slot& slot : old)
            if (slot.key.isValid())
                m_slots[indexOf(slot.key)] = slot;
    }

    std::vector<Slot> m_slots;
    std::size_t m_size = 0;
};

} // namespace sunder
