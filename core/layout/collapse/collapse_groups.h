#pragma once

#include "layout/collapse/collapse_body.h"
#include "layout/collapse/collapse_pieces.h"

#include <map>
#include <string>
#include <vector>

namespace sunder::collapse {

/// Stands between the first and the last member in the key of a group.
inline constexpr std::string_view kGroupMark = "⋯";

/// Neighbouring elements of a body that are shown as one item, or opened into a frame.
struct Group {
    Index begin = 0; ///< places in the order of execution
    Index end = 0;
    std::string key;
    bool isOpen = false;
    bool isDeep = false; ///< open with all inside
};

/// Finds the groups that a picture is wanted with: options name them by key, `closed` the folded ones.
class GroupFinder {
public:
    GroupFinder(const ScopeTree& scopes, const PictureOptions& options);

    /// Those among the elements of a body, which are given in order of execution; ascending, none within another. Ops before
    /// the first member go with it where the member before them is of the same list. Linear in the children, where any
    /// group is wanted at all.
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
    std::map<std::string, std::vector<Wanted>, std::less<>> m_wanted; ///< by the first member's key
};

} // namespace sunder::collapse
