#pragma once

#include "analysis/legality/finding.h"
#include "ir/ids.h"
#include "support/diagnostic.h"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace sunder {

/// A way out of a problem, with what it costs. repaired() makes the tags with it.
struct Repair {
    enum class Kind : std::uint8_t {
        retag,   ///< gives `nodes` the tag `tag`
        fillIn,  ///< gives every untagged node the earliest tag that its producers allow: `changes`
        reorder, ///< puts the tags in the order `order` (old indices)
        show,    ///< changes nothing: leads to `nodes`
        removeTag,
        mergeTags, ///< gives the nodes of the tags `order` the tag `tag`, which is one of them, and takes away the others
        stages,  ///< tags everything with `tag` equal stages
        follow,  ///< gives the backward calls of a joint program the backward tags of their forward calls
    } kind = Kind::show;
    std::string label;
    std::string tip = {};
    std::vector<NodeId> nodes = {};
    int tag = -1;
    std::vector<int> order = {};
    std::vector<std::pair<NodeId, std::int32_t>> changes = {};
    std::vector<int> emptied = {}; ///< of retag: tags that have no ops any more, which go as well
    std::uint64_t calls = 0; ///< that get another tag
    std::uint64_t bytes = 0; ///< of parameters, buffers and constants that these read
    Findings removes = {}; ///< it adds none but the notes that `tip` of fillIn tells
};

/// Something that stands in the way of a split, or should be known before one.
struct Problem {
    enum class Kind : std::uint8_t {
        backwardEdge,
        circle,      ///< tags that need each other
        hiddenOrder, ///< calls that would run the other way round, though no data edge shows it
        leftRegion,  ///< calls that would run under another autocast or grad mode
        splitState,  ///< memory that a part writes and another uses: separate parts hold copies
        boundValue,  ///< a value that separate parts of an exported program cannot pass
        cutRegion,   ///< global state that is set in one part and holds in another
        partForm,    ///< a part that cannot have the format that is asked for
        partName,    ///< a tag whose name no part can have
        overflow, ///< parts need more than their device has
        nothingTagged,
        untagged,
        notEqual,
        undecided,
        sharedWeight,
        nonTensor,
        noValues, ///< no node has a `val`
        island, ///< a few ops of a tag away from the rest of it
        emptyTag,
        more
    };

    Kind kind = Kind::untagged;
    Severity severity = Severity::error;
    std::string text;               ///< a sentence, with names as the file has them
    std::vector<NodeId> nodes = {}; ///< of the source's root graph; what the problem is about
    std::vector<Repair> repairs = {};
    std::vector<NodeId> excess = {}; ///< of overflow: the last ops with as many bytes of weights as are too much
    Findings about = {}; ///< what is found
    /// Among all problems: the one in front of it whose first repair removes this one as well, as one slip of the brush is a value that
    /// runs backwards, tags in a circle and an island.
    std::optional<std::size_t> goesWith = std::nullopt;
};

using Problems = std::vector<Problem>;

/// Whether `split` or its `--parts` refuses tags with this problem: an error, or a doubt that the parts are equivalent.
bool isRefused(const Problem& problem);

/// Whether it counts as a problem: an error or a warning that does not go away with another one.
bool isCounted(const Problem& problem);

/// "retag", "backward_edge": as `sunder-cli check` calls them.
std::string_view name(Repair::Kind kind);
std::string_view name(Problem::Kind kind);

} // namespace sunder
