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

/// The module tree of a GraphModule that torch creates from a graph and a table of its targets. Names with fewer dots are
/// registered first. Plain modules hold the children of dotted names. A later registration under the same name replaces the
/// earlier one. Parts are nested GraphModules of the same kind.
class RegisteredModules {
public:
    /// A name, and its target in the source.
    using Attribute = std::pair<InternedString, InternedString>;

    /// An object registered under a name of the root.
    struct Entry {
        InternedString name;
        InternedString attribute = {};            ///< target in the source; empty for a part
        GraphId part = {};                        ///< graph of a part
        /// targets of the part's nodes, in order; for duplicate names the last entry applies
        std::span<const Attribute> inside = {};
    };

    /// Registers all targets of the root graph, in node order; for duplicate names the last entry applies.
    void add(std::span<const Entry> entries);
    /// Creates the modules, their tensors and their graphs, depth first. Linear.
    void emit(Program& program, ModuleCarrier& carrier) const;

private:
    struct Slot {
        InternedString name;
        InternedString path = {}; ///< empty if it does not follow from the names
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
    std::string_view m_lastPath;    ///< argument of the last call of holder() …
    std::uint32_t m_lastHolder = 0; ///< … and its result
};

} // namespace sunder
