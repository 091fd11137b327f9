#pragma once

#include "analysis/alignment/align_sequences.h"
#include "analysis/alignment/call_tree.h"
#include "analysis/alignment/matches.h"

#include <vector>

namespace sunder {

/// What two module calls run, as items to be aligned.
struct SequencePair {
    std::vector<SequenceItem> old;
    std::vector<SequenceItem> now;
};

/// Names that end in numbers ("layers.3", "fc2") say which one a module is only where both have the same numbers. Linear in
/// the items.
SequencePair sequenceItems(const CallTree& old, const CallTree& now, ModulePair modules);

/// How many of the items of two module calls are alike, in whatever order. Linear in the items.
std::size_t commonItems(const CallTree& old, const CallTree& now, ModulePair modules);

} // namespace sunder
