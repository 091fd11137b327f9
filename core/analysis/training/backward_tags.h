#pragma once

#include "analysis/tag_assignment.h"
#include "analysis/training/training_graph.h"
#include "ir/program.h"

#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

namespace sunder {

/// Returns the forward pass of a joint program with unchanged ids, without backward calls and their results. If nodes have no
/// module stack (torch.export omits it in joint programs), a call is in the module whose parameters and buffers it reads, and
/// calls between two such modules are in their common parent. Only used for cutting, never written. O(nodes + arguments).
Program forwardProgram(const Program& program, const TrainingGraph& training);

/// The way in which backward calls of a joint program are tagged.
enum class BackwardTags : std::uint8_t {
    follow, ///< with their forward call, under a separate backward tag for each forward tag
    apart,  ///< like all other calls
};

/// Returns "stage0_backward" for "stage0". The forward and backward calls of a stage are two parts, since all later stages run
/// between them. (The name avoids a dot, which PyTorch refuses in submodule names.)
InternedString backwardTagOf(InternedString forward);

/// Returns "stage0" for "stage0_backward"; empty for other names.
std::string_view forwardNameOf(std::string_view backward);

/// Returns, per tag, the index of the forward tag that it belongs to by name; −1 for all others. O(tags).
std::vector<std::int32_t> forwardTags(std::span<const InternedString> order);

/// Filters tags (ascending) to those of different stages: removes backward tags whose forward tag is among them. The forward and
/// backward calls of a stage are on one device, which holds shared weights once. `forward`: forwardTags() of all tags. O(tags log
/// tags).
std::vector<std::int32_t> differentStages(std::span<const std::int32_t> forward, std::span<const std::int32_t> tags);

/// Removes the backward tags from an assignment, including those that no forward call has and whose forward tag does not exist.
/// Forward calls with a backward tag get its forward tag, and backward calls become untagged. O(nodes + tags).
TagAssignment onlyForwardTags(const Graph& graph, const TrainingGraph& training, const TagAssignment& tags);

/// The treatment of backward tags for forward tags without backward calls.
enum class EmptyBackwardTags : std::uint8_t { drop, keep };

/// Tags every backward call with the backward tag of its forward call's tag, or of an earlier stage if it needs a gradient that
/// is only computed there. It stays untagged if its forward call is untagged. Forward tags keep their order, followed by the
/// backward tags in reverse (only those with calls, or all). Tags that are legal for the forward pass are legal for both passes.
/// Forward calls are tagged as in onlyForwardTags(). Programs without a backward pass are unchanged. O(nodes + arguments + tags).
TagAssignment withBackwardFollowing(const Graph& graph, const TrainingGraph& training, const TagAssignment& tags,
                                    EmptyBackwardTags empty = EmptyBackwardTags::drop);

/// Returns whether the tags already are the result of withBackwardFollowing(), or no backward call has a tag. False for programs
/// without a backward pass. O(nodes + arguments + tags).
bool backwardFollows(const Graph& graph, const TrainingGraph& training, const TagAssignment& tags);

} // namespace sunder
