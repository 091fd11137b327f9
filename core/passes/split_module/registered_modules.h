#pragma once

#include "ir/program.h"
#include "passes/building/module_carrier.h"
#include "support/flat_map.h"

#include <cstdint>
#include <span>
#include <string_view>
#include <utility>
#include <vector>

namespace sunder {

/// The module tree of a GraphModule that torch makes from a graph and a table of what its targets name: names with
/// fewer dots are registered first, plain modules hold what stands below a dotted name, and what is registered under a
/// name once more takes the place of what was there. Parts are GraphModules of the same kind within it.
class RegisteredModules {
public:
    /// A name, and what it names in the source.
    using Attribute = std::pair<InternedString, InternedString>;

    /// What stands under a name of the root.
    struct Entry {
        InternedString name;
        InternedString attribute = {};            ///< target in the source; empty for a part
        GraphId part = {};                        ///< graph of a part
        std::span<const Attribute> inside = {};   ///< what the part's nodes name, in order; of one name the last counts
    };

    /// Registers everything that the nodes of the root graph name, in their order; of one name the last entry counts.
    void add(std::span<const Entry> entries);
    /// Makes the modules, their tensors and their graphs, depth first. Linear.
    void emit(Program& program, ModuleCarrier& carrier) const;

private:
    struct Slot {
        InternedString name;
        InternedString path = {}; ///< empty where the names on it do not tell
        InternedString attribute = {}; ///< target in the source; empty for a part and for a plain module
        GraphId part = {};
        std::vector<std::uint32_t> children = {};
    };

    void forgetHolder(std::uint32_t slot);
    std::uint32_t place(InternedString path);
    std::uint32_t holder(std::string_view path);
    std::uint32_t child(std::uint32_t parent, InternedString path, std::string_view name);

    std::vector<Slot> m_slots = {Slot{}};
    FlatMap<std::uint32_t> m_byPath;
    std::string_view m_lastPath;    ///< holder() was asked last for this …
    std::uint32_t m_lastHolder = 0; ///< … and this was the answer
};

} // namespace sunder
