#pragma once

#include "ir/program.h"
#include "support/interned_set.h"

#include <cstdint>
#include <span>
#include <utility>
#include <vector>

namespace sunder {

/// The module tree that torch builds below a GraphModule for the targets of its graph: what is called comes whole,
/// what is read stands in plain modules along its path. Children are in the order in which targets ask for them.
class TargetPaths {
public:
    /// One path: a module of the source, or a plain module that holds what is below it.
    struct Branch {
        InternedString name;
        ModuleId carried = {}; ///< module of the source; it brings everything below it
        std::vector<std::uint32_t> children = {}; ///< indices of branches
        std::vector<std::pair<InternedString, TensorId>> tensors = {}; ///< its path there, and the tensor of the source
    };

    /// `holders`: per tensor of the source the module that its name says it is in; invalid when there is none.
    TargetPaths(const Program& source, std::span<const ModuleId> holders);

    /// Adds a target, which will stand at `path`; what the source does not know is a plain attribute and leaves only
    /// its path. O(its length); for a tensor of a known module O(depth), and the text is not looked at.
    void add(InternedString target, InternedString path);
    /// Branch 0 is the module itself.
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
    std::vector<ModuleId> m_way;    ///< scratch: from a module up to the root
    ModuleId m_lastModule;          ///< holder() was asked last for this …
    std::uint32_t m_lastHolder = 0; ///< … and this was the answer
};

} // namespace sunder
