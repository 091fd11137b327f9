#pragma once

#include "analysis/search/text_pattern.h"
#include "analysis/sequence/model_sequence.h"
#include "analysis/stages.h"
#include "analysis/tag_assignment.h"
#include "support/progress_monitor.h"

#include <cstdint>
#include <vector>

namespace sunder {

/// Returns the least depth, from the coarse depth on, with at least this many module boundaries inside the model; the deepest one
/// if there is none. O(calls × depths).
std::uint8_t depthWithBorders(const ModelSequence& sequence, std::uint32_t borders);

/// Cuts the model into exactly `count` stages at module boundaries of at most `depth`. Minimizes the largest stage and, among
/// such cuts, balances the others. Measures the bytes of the memories that a stage reads, counting shared memory once; the bytes
/// of results if the model has no memories; otherwise the number of calls. Tags are named stage0, stage1, … Refuses zero stages,
/// more stages than stretches between boundaries (the error names their number), and sizes whose sum exceeds 64 bits. Bisects the
/// size of the largest stage: O(64 × (calls + reads)).
Result<TagAssignment> stagesAtBorders(const ModelSequence& sequence, std::uint32_t count, StageMeasure measure,
                                      std::uint8_t depth, ProgressMonitor& monitor);

/// Maximum number of tags created from modules at once.
inline constexpr std::size_t kMaxModuleTags = 256;

/// Makes a stage for each run of a module at this depth, and of each shallower module without submodules at this depth. Ops
/// between two stages are divided where the fewest bytes cross. Stages are named by path, with `_` for dots, and a number for
/// repeated runs. Refuses a depth without modules, and more than kMaxModuleTags stages. O(calls + modules).
Result<TagAssignment> stagesByDepth(const ModelSequence& sequence, std::uint32_t depth);

/// Same for the outermost modules whose whole path matches the pattern. Refuses a pattern without matches.
Result<TagAssignment> stagesByPattern(const ModelSequence& sequence, const TextPattern& pattern);

/// Returns the pattern for the list of modules with the most ops: "layers.*". A list has numeric names; of nested lists the outer
/// one counts. Empty if the model has no list. O(nodes + frames of all stacks).
std::string patternOfModuleList(const Program& program);

} // namespace sunder
