#pragma once

#include "analysis/tag_assignment.h"
#include "analysis/training/training_graph.h"

#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

namespace sunder {

/// How the backward calls of a joint program are tagged.
enum class BackwardTags : std::uint8_t {
    follow, ///< with the forward call that each belongs to, under a tag beside that of the forward call
    apart,  ///< like all other calls
};

/// "stage0" → "stage0_backward": the forward and backward calls of a stage are two parts, as all later stages run between them.
/// (PyTorch calls no submodule by a name with a dot in it.)
InternedString backwardTagOf(InternedString forward);

/// "stage0_backward" → "stage0"; empty for names that are not of this form.
std::string_view forwardNameOf(std::string_view backward);

/// Per tag the index of the tag whose backward calls it takes by its name; −1 for all others. O(tags).
std::vector<std::int32_t> forwardTags(std::span<const InternedString> order);

/// Of these tags, ascending, those that are of different stages: without backward tags whose forward tag is among them. The forward and
/// backward calls of a stage are on one device, which holds what both read once. `forward`: forwardTags() of all. O(tags log tags).
std::vector<std::int32_t> differentStages(std::span<const std::int32_t> forward, std::span<const std::int32_t> tags);

/// The tags of the forward pass alone: backward tags are gone, those too whose forward tag is gone and that no forward call has;
/// forward calls that had one have its forward tag, and backward calls have none. O(nodes + tags).
TagAssignment onlyForwardTags(const Graph& graph, const TrainingGraph& training, const TagAssignment& tags);

/// What becomes of the backward tag of a forward tag none of whose calls has a backward call.
enum class EmptyBackwardTags : std::uint8_t { drop, keep };

/// The tags with every backward call in the backward tag of its forward call's tag, or of an earlier stage where it needs a
/// gradient that is computed only there; without one where its forward call has none. Forward tags keep their order; behind them
/// come, in reverse, the backward tags of those that have backward calls (or of all): what is legal for the forward pass is legal for both.
/// Forward calls are as in onlyForwardTags(). Other programs keep the tags that they have.
/// O(nodes + arguments + tags).
TagAssignment withBackwardFollowing(const Graph& graph, const TrainingGraph& training, const TagAssignment& tags,
                                    EmptyBackwardTags empty = EmptyBackwardTags::drop);

/// Whether that is what the tags are already, or no backward call has one. False of other programs. O(nodes + arguments + tags).
bool backwardFollows(const Graph& graph, const TrainingGraph& training, const TagAssignment& tags);

} // namespace sunder
