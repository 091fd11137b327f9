#pragma once

#include <cstdint>
#include <span>
#include <vector>

namespace sunder {

/// The properties by which an item of one sequence is matched to an item of another.
struct SequenceItem {
    bool isModule = false;
    /// Of a module: its name is not an index into a list that grew or shrank. Of an op: both sequences have as many of its kind.
    bool isNameFirm = false;
    std::uint64_t kind = 0; ///< of an op: op and target; of a module: its class without the package
    std::uint64_t contents = 0; ///< of an op: its constants; of a module: hash of its ops
    std::uint64_t value = 0; ///< of an op: dtype and shape of its result
    std::uint64_t weights = 0; ///< hash of the values of its weights; 0: unknown, or no weights
    std::uint64_t name = 0; ///< of a module
    bool isListed = false; ///< of a module: its name contains a list index
    std::uint32_t place = 0; ///< index among equal items
};

/// The match of each item of the new sequence in the old one, in order, including all equally good alternatives.
struct SequenceAlignment {
    static constexpr std::uint32_t kNone = 0xffffffffU;
    struct Fit {
        std::uint32_t old = kNone; ///< the match that preserves most names and positions
        std::vector<std::uint32_t> others = {}; ///< equally good matches, ascending, at most kMaxOthers
        bool mayBeNew = false; ///< it may also be a new item
        bool hasMore = false; ///< there are further matches that are not listed
        bool isWeak = false; ///< only its kind suggests that it is `old`
    };
    static constexpr std::size_t kMaxOthers = 8;
    std::vector<Fit> fits; ///< per new item
};

/// Aligns two sequences by the content of their items, never by list index alone, and returns all equally good matches. O(old ×
/// new) up to 4 million pairs. For longer sequences only pairs near the diagonal are considered; if the best alignment reaches
/// the edge of that band, all items have unlisted matches.
SequenceAlignment alignSequences(std::span<const SequenceItem> old, std::span<const SequenceItem> now);

} // namespace sunder
