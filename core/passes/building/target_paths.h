#pragma once

#include "ir/program.h"
#include "support/flat_map.h"

#include <cstdint>
#include <string>
#include <unordered_map>
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
        std::vector<std::pair<InternedString, TensorId>> tensors = {}; ///< target, and the tensor it reads
    };

    explicit TargetPaths(const Program& source);

    /// Adds a target; what the source does not know is a plain attribute and leaves only its path. O(its length).
    void add(InternedString target);
    /// Branch 0 is the module itself.
    [[nodiscard]] const Branch& operator[](std::uint32_t at) const { return m_branches[at]; }

private:
    [[nodiscard]] std::uint32_t holder(std::string_view path);
    std::uint32_t child(std::uint32_t parent, std::string_view path, std::string_view name);

    const Program& m_source;
    std::vector<Branch> m_branches;
    std::unordered_map<std::string_view, std::uint32_t> m_byPath; ///< keys are parts of interned targets
    FlatMap<char> m_done;
    std::string_view m_lastPath;     ///< holder() was asked last for this …
    std::uint32_t m_lastHolder = 0;  ///< … and this was the answer
};

} // namespace sunder
