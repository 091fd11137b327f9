#pragma once

#include <cstdint>
#include <vector>

namespace sunder {

/// What an alignment has found out so far of a node of the new graph.
struct NodeMatch {
    static constexpr std::uint32_t kNone = 0xffffffffU;

    std::uint32_t old = kNone;              ///< the old node that it most likely is
    std::vector<std::uint32_t> others = {}; ///< old nodes that it may be as well, each once
    bool mayBeNew = false; ///< it may be none of them
    bool hasMore = false;  ///< it may be others that are not named
    bool isWeak = false;   ///< only its operator says that it is `old`
    bool isPropagated = false; ///< found by what it reads or who reads it

    [[nodiscard]] bool isFound() const { return old != kNone; }
    /// One answer and no doubt.
    [[nodiscard]] bool isSure() const { return isFound() && others.empty() && !mayBeNew && !hasMore && !isWeak; }
    /// Adds a doubt, once.
    void doubt(std::uint32_t other);
};

/// A module call of the new graph that was aligned with one of the old graph.
struct ModulePair {
    std::uint32_t old = 0;
    std::uint32_t now = 0;
    bool isSure = true; ///< it is that one, or another of those in Matches::doubted
};

/// The nodes of a new graph by the nodes of an old one.
struct Matches {
    std::vector<NodeMatch> ofNow;         ///< per node of the new graph
    std::vector<std::uint32_t> ofOld;     ///< per node of the old one: the new one that it is, or NodeMatch::kNone
    std::vector<ModulePair> modules = {}; ///< aligned calls of modules, outer ones first
    std::vector<ModulePair> doubted = {}; ///< calls of modules that may be those as well

    void pair(std::uint32_t old, std::uint32_t now);
};

} // namespace sunder
