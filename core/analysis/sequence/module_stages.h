#pragma once

#include "analysis/search/text_pattern.h"
#include "analysis/sequence/model_sequence.h"
#include "analysis/stages.h"
#include "analysis/tag_assignment.h"
#include "support/progress_monitor.h"

#include <cstdint>
#include <vector>

namespace sunder {

/// The least depth, from the coarse one on, at which modules have so many borders inside of the model; the deepest where none
/// has. O(calls × depths).
std::uint8_t depthWithBorders(const ModelSequence& sequence, std::uint32_t borders);

/// Cuts the model into exactly `count` stages at borders of modules of at most `depth`, so that the largest stage is as small as
/// it can be there; of such cuts one whose stages are about equal. Bytes: of the memories that a stage reads, each once; of
/// results where the model has no memories, else calls. Named stage0, stage1, … Refuses zero stages, more than there are
/// stretches between borders, with their number, and sizes whose sum is beyond 64 bits. By bisection over the size of
/// the largest: O(64 × (calls + reads)).
Result<TagAssignment> stagesAtBorders(const ModelSequence& sequence, std::uint32_t count, StageMeasure measure,
                                      std::uint8_t depth, ProgressMonitor& monitor);

/// As many tags as modules may make at once.
inline constexpr std::size_t kMostModuleTags = 256;

/// Each module of this depth is a stage, and each that holds none so deep, as often as it runs; what runs between two is divided
/// where the least crosses. Named by the paths, with `_` for dots, and with a number where a module runs again. Refuses
/// a depth that no module has, and more than kMostModuleTags stages. O(calls + modules).
Result<TagAssignment> stagesByDepth(const ModelSequence& sequence, std::uint32_t depth);

/// The same of the outermost modules whose whole path is as the pattern says. Refuses a pattern that no module fits.
Result<TagAssignment> stagesByPattern(const ModelSequence& sequence, const TextPattern& pattern);

/// What means all modules of the list that most ops are in, as "layers.*": a list has numbers for names, and of one in another the
/// outer one counts. Empty where the model has no list. O(nodes + frames of all stacks).
std::string patternOfModuleList(const Program& program);

} // namespace sunder
