#pragma once

#include "layout/collapse/collapse_body.h"
#include "layout/collapse/collapse_pieces.h"

#include <map>
#include <string>
#include <vector>

namespace sunder::collapse {

/// Separates the first and the last member in the key of a group.
inline constexpr std::string_view kGroupMark = "⋯";

/// Neighboring elements of a body that are shown as one item, or opened into a frame.
struct Group {
    Index begin = 0; ///< positions in execution order
    Index end = 0;
    std::string key;
    bool isOpen = false;
    bool isDeep = false; ///< open with all its contents
};

/// Finds the groups that the options name by key; `closed` names the folded ones.
class GroupFinder {
public:
    GroupFinder(const ScopeTree& scopes, const PictureOptions& options);

    /// Returns the requested groups among the elements of a body, ascending and disjoint. `order` lists the elements in execution
    /// order. Ops before the first member belong to it if the preceding member is in the same list. Linear in the children;
    /// constant if the options name no groups.
    [[nodiscard]] std::vector<Group> find(const CollapseBody& body, const Folding& folding, const std::vector<Index>& order,
                                          Index scope) const;

private:
    struct Wanted {
        std::string last;
        bool isOpen = false;
        bool isDeep = false;
    };

    void note(const std::set<std::string>& keys, bool isOpen, bool isDeep);

    const ScopeTree& m_scopes;
    std::string_view m_within;
    std::map<std::string, std::vector<Wanted>, std::less<>> m_wanted; ///< by key of the first member
};

} // namespace sunder::collapse
