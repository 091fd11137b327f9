#pragma once

#include "ir/program.h"
#include "support/interned_set.h"

#include <cstdint>
#include <span>
#include <utility>
#include <vector>

namespace sunder {

/// The module tree that torch builds below a GraphModule for the targets of its graph. Called modules are included with
/// everything below them; read attributes are placed in plain modules along their path. Children are in the order of the targets.
class TargetPaths {
public:
    /// A module of the source, or a plain module that holds its children.
    struct Branch {
        InternedString name;
        ModuleId carried = {}; ///< module of the source, including everything below it
        std::vector<std::uint32_t> children = {}; ///< indices of branches
        std::vector<std::pair<InternedString, TensorId>> tensors = {}; ///< path in the tree, and the tensor of the source
    };

    /// `holders`: per tensor of the source, the module at the parent path of its name; invalid if there is none.
    TargetPaths(const Program& source, std::span<const ModuleId> holders);

    /// Adds a target, to be placed at `path`. A target unknown to the source is a plain attribute and contributes only its path.
    /// O(length of the path), or O(depth) for a tensor in a known module, whose text is not scanned.
    void add(InternedString target, InternedString path);
    /// Branch 0 is the root of the tree.
    [[nodiscard]] const Branch& operator[](std::uint32_t at) const { return m_branches[at]; }

private:
    [[nodiscard]] std::uint32_t holder(std::string_view path);
    [[nodiscard]] std::uint32_t holder(ModuleId module);
    std::uint32_t child(std::uint32_t parent, InternedString path, InternedString name);

    const Program& m_source;
    std::span<const ModuleId> m_holders;
    std::vector<Branch> m_branches;
    FlatMap<std::uint32_t> m_byPath;
    InternedSet m_done;
    std::vector<ModuleId> m_way;    ///< scratch: path from a module up to the root
    ModuleId m_lastModule;          ///< argument of the last call of holder() …
    std::uint32_t m_lastHolder = 0; ///< … and its result
};

} // namespace sunder
