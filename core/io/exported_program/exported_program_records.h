#pragma once

#include "ir/node.h"
#include "ir/program.h"

#include <deque>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <unordered_set>
#include <vector>

namespace sunder {

/// A result of a node as listed in the file. Slots number the value names of one graph.
struct OutputRecord {
    enum class Kind : std::uint8_t {
        named,   ///< a tensor, symbol, or object with a name
        none,
        literal, ///< a symbol that was replaced by a number
        list,
    };
    Kind kind = Kind::none;
    std::uint32_t slot = 0;
    Argument literal = {};
    std::vector<OutputRecord> items = {};
};

/// A serialized node. Node ids in its arguments are slots; graph ids are indices of GraphRecords.
struct NodeRecord {
    InternedString target;
    InternedString name; ///< empty in files written by PyTorch 2.9 and earlier
    Arguments args = {};
    Keywords kwargs = {};
    bool holdsGraphs = false;
    std::optional<bool> singleResult = {}; ///< of a higher-order operator
    std::vector<OutputRecord> outputs = {};
    NodeMeta meta = {};
    InternedString sharedJson = {}; ///< meta.json of get_attr and getitem nodes created for this node
    InternedString tag = {};
};

/// Finds the index of a name in a list, by open addressing over the texts of the list.
class NameSlots {
public:
    static constexpr std::uint32_t kNone = 0xffffffffU;

    [[nodiscard]] std::uint32_t find(std::string_view name, const std::vector<InternedString>& names) const
    {
        return m_slots.empty() ? kNone : m_slots[placeOf(name, names)];
    }

    std::uint32_t findOrAdd(std::string_view name, std::vector<InternedString>& names)
    {
        if (2 * names.size() >= m_slots.size())
            grow(names);
        std::uint32_t& slot = m_slots[placeOf(name, names)];
        if (slot == kNone) {
            slot = static_cast<std::uint32_t>(names.size());
            names.push_back(intern(name));
        }
        return slot;
    }

private:
    [[nodiscard]] std::size_t placeOf(std::string_view name, const std::vector<InternedString>& names) const
    {
        const std::size_t mask = m_slots.size() - 1;
        std::size_t at = std::hash<std::string_view>{}(name)&mask;
        while (m_slots[at] != kNone && names[m_slots[at]].view() != name)
            at = (at + 1) & mask;
        return at;
    }

    void grow(const std::vector<InternedString>& names)
    {
        m_slots.assign(m_slots.empty() ? 64 : 2 * m_slots.size(), kNone);
        for (std::uint32_t i = 0; i < names.size(); ++i)
            m_slots[placeOf(names[i].view(), names)] = i;
    }

    std::vector<std::uint32_t> m_slots;
};

struct GraphInputRecord {
    bool isNamed = false;
    std::uint32_t slot = 0;
    Argument literal = {};
};

/// A serialized graph: the root graph, or one in the arguments of a node.
struct GraphRecord {
    InternedString name; ///< of a nested graph
    std::vector<GraphInputRecord> inputs;
    Arguments outputs; ///< nodes are slots
    bool singleResult = false;
    std::vector<NodeRecord> nodes;
    std::vector<InternedString> names;               ///< by slot
    std::vector<std::optional<Argument>> values;     ///< by slot: entries of tensor_values and similar tables
    NameSlots slotNames;

    /// Returns the slot of a name and creates it if it is new.
    std::uint32_t slot(std::string_view value)
    {
        const std::uint32_t found = slotNames.findOrAdd(value, names);
        if (found == values.size())
            values.emplace_back();
        return found;
    }
};

/// The content of an exported program's JSON. Nodes in signature and calls are slots of the root graph.
struct ProgramRecord {
    std::deque<GraphRecord> graphs{1}; ///< the root graph first
    std::optional<ExportSignature> signature;
    std::vector<InternedString> constantInputs; ///< per input of the signature: name of a constant input
    std::vector<ModuleCall> calls;
    std::vector<SymbolRange> ranges;
    std::vector<ModuleStack> stacks;
    std::unordered_set<InternedString> symbols; ///< text of every symbolic expression and of all its subexpressions
    std::optional<std::int64_t> schemaMajor;
    std::int64_t schemaMinor = 0;
    std::string torchVersion;
    std::string extra; ///< members of a raw JSON object, needed only by writers
    std::vector<InternedString> conditions; ///< see ProgramOrigin::conditions
    bool hasGraph = false;

    /// Records unknown members of an object of a schema type. O(their text).
    void noteUnknown(std::string_view type, const std::string& members)
    {
        if (!members.empty())
            conditions.push_back(intern(std::string(type) + ' ' + members));
    }
};

} // namespace sunder
