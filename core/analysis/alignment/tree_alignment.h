#pragma once

#include "analysis/alignment/align_sequences.h"
#include "analysis/alignment/call_tree.h"
#include "analysis/alignment/matches.h"

#include <map>
#include <utility>
#include <vector>

namespace sunder {

/// Aligns two graphs from the model down: what a module call runs is a sequence, and of two that are one the sequences are
/// aligned, then in the same way the calls of modules in them. Sequences that repeat are aligned once.
class TreeAlignment {
public:
    TreeAlignment(const CallTree& old, const CallTree& now, Matches& matches);

    /// Aligns these calls of modules and all in them. `isWeak`: nothing but their class says that they are one.
    void align(ModulePair modules, bool isWeak);

private:
    struct Work {
        ModulePair modules;
        bool isWeak = false;
        bool isDoubt = false;       ///< only to say that what runs in one may be what runs in the other
        bool mayBeNew = false;      ///< what runs in it may be new as a whole
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
    std::size_t m_doubtsLeft; ///< nodes that doubts may still walk over
    std::map<std::pair<std::uint64_t, std::uint64_t>, SequenceAlignment> m_known; ///< by what is in them; looked up only
};

} // namespace sunder
