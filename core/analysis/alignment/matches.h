#pragma once

#include <cstdint>
#include <vector>

namespace sunder {

/// The intermediate match of a node of the new graph.
struct NodeMatch {
    static constexpr std::uint32_t kNone = 0xffffffffU;

    std::uint32_t old = kNone;              ///< the most likely old node
    std::vector<std::uint32_t> others = {}; ///< other candidates, without repeats
    bool mayBeNew = false; ///< it may be a new node
    bool hasMore = false;  ///< there are further candidates that are not listed
    bool isWeak = false;   ///< only its operator suggests that it is `old`
    bool isPropagated = false; ///< found by its inputs or users

    [[nodiscard]] bool isFound() const { return old != kNone; }
    /// Returns whether there is exactly one candidate and no doubt.
    [[nodiscard]] bool isSure() const { return isFound() && others.empty() && !mayBeNew && !hasMore && !isWeak; }
    /// Adds a candidate unless it is already known.
    void doubt(std::uint32_t other);
};

/// A module call of the new graph aligned with one of the old graph.
struct ModulePair {
    std::uint32_t old = 0;
    std::uint32_t now = 0;
    bool isSure = true; ///< false: the match may also be one of Matches::doubted
};

/// The nodes of a new graph matched to those of an old one.
struct Matches {
    std::vector<NodeMatch> ofNow;         ///< per node of the new graph
    std::vector<std::uint32_t> ofOld;     ///< per node of the old graph: the matching new node, or NodeMatch::kNone
    std::vector<ModulePair> modules = {}; ///< aligned module calls, outer ones first
    std::vector<ModulePair> doubted = {}; ///< alternative alignments of module calls

    void pair(std::uint32_t old, std::uint32_t now);
};

} // namespace sunder
