#pragma once

#include "analysis/alignment/align_sequences.h"
#include "analysis/alignment/call_tree.h"
#include "analysis/alignment/matches.h"

#include <map>
#include <utility>
#include <vector>

namespace sunder {

/// Aligns two graphs from the top down. The items of each module call form a sequence; the sequences of two matching calls are
/// aligned, then those of the module calls in them. The alignment of repeated sequences is cached.
class TreeAlignment {
public:
    TreeAlignment(const CallTree& old, const CallTree& now, Matches& matches);

    /// Aligns two module calls and everything in them. `isWeak`: only their class suggests that they match.
    void align(ModulePair modules, bool isWeak);

private:
    struct Work {
        ModulePair modules;
        bool isWeak = false;
        bool isDoubt = false;       ///< an alternative: only adds candidates
        bool mayBeNew = false;      ///< the whole module may be new
        bool hasMore = false;
    };

    void take(const Work& work);
    void takeModule(const Work& work, const std::vector<CallTree::Item>& old, std::uint32_t now,
                    const SequenceAlignment::Fit& fit);
    void takeNode(const Work& work, const std::vector<CallTree::Item>& old, std::uint32_t now, const SequenceAlignment::Fit& fit);
    [[nodiscard]] std::uint32_t namesakeOf(const std::vector<CallTree::Item>& old, std::uint32_t before, std::uint32_t now);
    [[nodiscard]] ModulePair unwrapped(ModulePair modules) const;
    const SequenceAlignment& sequencesOf(ModulePair modules);

    const CallTree& m_old;
    const CallTree& m_now;
    Matches& m_matches;
    std::vector<Work> m_work;
    std::size_t m_doubtsLeft; ///< remaining nodes that alternatives may visit
    std::map<std::pair<std::uint64_t, std::uint64_t>, SequenceAlignment> m_known; ///< by content hashes; for lookup only
};

} // namespace sunder
