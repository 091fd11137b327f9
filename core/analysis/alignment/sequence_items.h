#pragma once

#include "analysis/alignment/align_sequences.h"
#include "analysis/alignment/call_tree.h"
#include "analysis/alignment/matches.h"

#include <vector>

namespace sunder {

/// The items of two module calls, prepared for alignment.
struct SequencePair {
    std::vector<SequenceItem> old;
    std::vector<SequenceItem> now;
};

/// Prepares the items of two module calls. Names with numbers ("layers.3", "fc2") identify a module only if both calls have the
/// same numbers. Linear in the items.
SequencePair sequenceItems(const CallTree& old, const CallTree& now, ModulePair modules);

/// Returns the number of items that two module calls have in common, in any order. Linear in the items.
std::size_t commonItems(const CallTree& old, const CallTree& now, ModulePair modules);

} // namespace sunder
