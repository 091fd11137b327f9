#pragma once

#include <string_view>
#include <vector>

namespace sunder {

/// A word of a line of `core/operators/data/saved_for_backward.txt`, which documents them.
struct SavedWord {
    std::string_view what;
    std::string_view ifNeeded; ///< the argument that must need gradients; empty for any
};

/// Returns what autograd saves for a call of a target ("torch.ops.aten.max.dim", "torch.relu"); null if no line has its name.
/// O(log lines).
const std::vector<SavedWord>* savedForBackward(std::string_view target);

} // namespace sunder
