#pragma once

#include "analysis/legality/finding.h"
#include "analysis/snapshot.h"
#include "analysis/tag_assignment.h"
#include "ir/ids.h"
#include "support/diagnostic.h"
#include "support/result.h"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace sunder {

/// A fix for a problem, with its cost. repaired() applies it.
struct Repair {
    enum class Kind : std::uint8_t {
        retag,   ///< gives `nodes` the tag `tag`
        fillIn,  ///< gives untagged nodes the earliest tag that their producers allow: `changes`
        reorder, ///< reorders the tags to `order` (old indices)
        show,    ///< changes nothing; selects `nodes`
        removeTag,
        mergeTags, ///< gives nodes with the tags `order` the tag `tag`, which is among them, and removes the others
        stages,  ///< tags all ops with `tag` equal stages
        follow,  ///< gives the backward calls of a joint program the backward tags of their forward calls
    } kind = Kind::show;
    std::string label;
    std::string tip = {};
    std::vector<NodeId> nodes = {};
    int tag = -1;
    std::vector<int> order = {};
    std::vector<std::pair<NodeId, std::int32_t>> changes = {};
    std::vector<int> emptied = {}; ///< for retag: tags without remaining ops, which are removed
    std::uint64_t calls = 0; ///< number of calls whose tag changes
    std::uint64_t bytes = 0; ///< of the parameters, buffers and constants that they read
    Findings removes = {}; ///< removed findings; only fillIn and follow may add some: notes, which `tip` describes
};

/// A fix that is not offered because it would overfill a device.
struct BlockedRepair {
    std::string label;
    std::string why; ///< "device "gpu1" would need 3.4 kB, 900 B too much"
};

/// Returns e.g. ""Move relu_3 to stage1" is not possible: device "gpu1" would need 3.4 kB, 900 B too much".
std::string describe(const BlockedRepair& blocked);

/// A problem that blocks a split or deserves attention before one.
struct Problem {
    enum class Kind : std::uint8_t {
        backwardEdge,
        circle,      ///< tags with cyclic dependencies
        orderDependency, ///< calls that would run in reverse order, without a data edge between them
        leftRegion,  ///< calls that would run under another autocast or grad mode
        splitState,  ///< memory that one part writes and another uses: separate parts have copies
        boundValue,  ///< a value that separate parts of an exported program cannot pass
        cutRegion,   ///< global state that is set in one part and active in another
        partForm,    ///< a part that does not support the requested format
        partName,    ///< a tag that cannot name a part
        overflow, ///< parts exceed the memory of their device
        nothingTagged,
        untagged,
        notEqual,
        undecided,
        sharedWeight,
        nonTensor,
        noValues, ///< no node has a `val`
        island, ///< a few ops disconnected from the rest of their tag
        emptyTag,
        more
    };

    Kind kind = Kind::untagged;
    Severity severity = Severity::error;
    std::string text;               ///< a sentence, with names as in the file
    std::vector<NodeId> nodes = {}; ///< the affected nodes of the source's root graph
    std::vector<Repair> repairs = {};
    std::vector<BlockedRepair> blocked = {};
    std::vector<NodeId> excess = {}; ///< for overflow: the last ops whose weights add up to the excess
    Findings about = {}; ///< the corresponding findings
    /// Index of an earlier problem whose first fix removes this one as well. For example, one accidental brush stroke causes a
    /// backward edge, a cycle and an island.
    std::optional<std::size_t> goesWith = std::nullopt;
};

using Problems = std::vector<Problem>;

/// Returns whether `split` or `split --parts` refuses tags with this problem: an error, or a doubt that the parts are equivalent.
bool isRefused(const Problem& problem);

/// Returns whether a problem counts: an error or a warning that is not removed with another one.
bool isCounted(const Problem& problem);

/// Return the names used by `sunder-cli check`: "retag", "backward_edge".
std::string_view name(Repair::Kind kind);
std::string_view name(Problem::Kind kind);

/// Applies a fix found by problemsOf() for these tags. Fails like consecutiveStages(). O(nodes + tags); for stages the cost of
/// consecutiveStages().
Result<TagAssignment> repaired(const Snapshot& snapshot, const TagAssignment& tags, const Repair& repair);

} // namespace sunder
