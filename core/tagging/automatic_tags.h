#pragma once

#include "analysis/sequence/cut_sequence.h"
#include "analysis/stages.h"
#include "analysis/tag_assignment.h"
#include "support/progress_monitor.h"
#include "support/result.h"

#include <cstdint>
#include <string>
#include <vector>

namespace sunder {

/// How a model is to be tagged without a hand on it.
struct TaggingWish {
    enum class Way : std::uint8_t {
        equalStages,  ///< `stages` of about equal `measure`, cut where `borders` allow it
        byDepth,      ///< each module of `depth` a stage
        byPattern,    ///< each module that `pattern` means a stage
        fillEarliest, ///< ops without a tag take the earliest that what they read allows; all others keep theirs
        fillLatest,   ///< the latest that what reads them allows
        straighten,   ///< straightened(): stages follow each other, with as few changes as can be
    };
    enum class Borders : std::uint8_t { anywhere, modules };

    Way way = Way::equalStages;
    std::uint32_t stages = 2;
    StageMeasure measure = StageMeasure::bytes;
    Borders borders = Borders::anywhere;
    /// Of modules at whose borders equal stages are cut, 0: the least that has enough of them; of those that are stages, 0: 1.
    std::uint32_t depth = 0;
    std::string pattern = {};
    /// Of a joint forward and backward program: whether all of this is made of the forward pass, and the backward calls follow.
    BackwardTags backward = BackwardTags::follow;
    friend bool operator==(const TaggingWish&, const TaggingWish&) = default;
};

/// A stage of a proposal.
struct ProposedStage {
    InternedString name;
    std::size_t ops = 0;
    std::uint64_t weightBytes = 0; ///< of memories that it reads, each once
    std::uint64_t usedBytes = 0; ///< what it takes while it runs, values freed after their last reader
    std::uint64_t crossingBytes = 0; ///< made in it or before it and read behind it, each once; 0 of the last
    std::string begin; ///< where it begins, as describePlace() says it; empty without ops
};

/// Tags that were made, and what is to be said of them before they are taken.
struct TaggingProposal {
    TagAssignment tags;
    std::vector<ProposedStage> stages;
    std::string why; ///< how they came about, in sentences
    std::size_t changed = 0; ///< calls with another tag than before, by its name; those that had none too
    std::size_t newlyTagged = 0; ///< of these, calls that had none
    CutLegality legality = {}; ///< backward edges only where there were such before, or no tag was legal
    std::uint64_t crossingBytes = 0; ///< of all values that another stage reads, each once
    std::uint64_t largestBytes = 0; ///< most `usedBytes`
};

/// Makes the tags that are wished for. `sequence` is of the program; `tags` are those that there are. Refuses what
/// consecutiveStages(), stagesAtBorders(), stagesByDepth() and stagesByPattern() refuse, and filling in without tags. Near
/// linear in nodes, arguments and stages.
Result<TaggingProposal> proposeTags(const Program& program, const ModelSequence& sequence, const TagAssignment& tags,
                                    const TaggingWish& wish, ProgressMonitor& monitor = ProgressMonitor::none());

/// What there is to say of tags that came about in another way. O(nodes + arguments).
TaggingProposal measuredTags(const Program& program, const ModelSequence& sequence, const TagAssignment& before,
                             TagAssignment tags, std::string why);

} // namespace sunder
