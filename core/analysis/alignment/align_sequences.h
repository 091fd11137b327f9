#pragma once

#include <cstdint>
#include <span>
#include <vector>

namespace sunder {

/// What decides whether one item of a sequence is another one of another sequence.
struct SequenceItem {
    bool isModule = false;
    bool isNameFirm = false;     ///< of a module: its name is no number of a list that has grown or shrunk
    std::uint64_t kind = 0;      ///< of an op: op and target; of a module: its class, without where that is
    std::uint64_t contents = 0;  ///< of an op: its constants; of a module: what it runs
    std::uint64_t value = 0;     ///< of an op: dtype and shape of what it gives
    std::uint64_t weights = 0;   ///< the values of the weights that it reads; 0: not known, or none
    std::uint64_t name = 0;      ///< of a module
    bool isListed = false;       ///< of a module: its name is a number of a list
    std::uint32_t place = 0;     ///< among equals
};

/// Which item of the old sequence each of the new one is, in order: where what is known of them allows several answers, all.
struct SequenceAlignment {
    static constexpr std::uint32_t kNone = 0xffffffffU;
    struct Fit {
        std::uint32_t old = kNone;              ///< preferred: as many names and places as possible stay
        std::vector<std::uint32_t> others = {}; ///< that fit as well, ascending, at most kMostOthers
        bool mayBeNew = false;                  ///< it may as well be none of them
        bool hasMore = false;                   ///< there are others that are not named
        bool isWeak = false;                    ///< nothing but its kind says that it is `old`
    };
    static constexpr std::size_t kMostOthers = 8;
    std::vector<Fit> fits; ///< per new item
};

/// The best alignment by what items are, never by their names in a list; all that are as good count. O(old × new) up to 4
/// million pairs; of longer ones only pairs near the diagonal are looked at, and where the best comes to that edge everything
/// has more answers than are named.
SequenceAlignment alignSequences(std::span<const SequenceItem> old, std::span<const SequenceItem> now);

} // namespace sunder
