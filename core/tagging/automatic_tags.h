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

/// Options for automatic tagging.
struct TaggingRequest {
    enum class Way : std::uint8_t {
        equalStages,  ///< `stages` stages of similar `measure`, cut where `borders` allows
        byDepth,      ///< a stage for each module at `depth`
        byPattern,    ///< a stage for each module that matches `pattern`
        fillEarliest, ///< untagged ops get the earliest tag that their inputs allow
        fillLatest,   ///< untagged ops get the latest tag that their users allow
        straighten,   ///< straightened(): consecutive stages with minimal changes
    };
    enum class Borders : std::uint8_t { anywhere, modules };

    Way way = Way::equalStages;
    std::uint32_t stages = 2;
    StageMeasure measure = StageMeasure::bytes;
    Borders borders = Borders::anywhere;
    /// For equal stages, the maximum depth of modules at whose boundaries to cut; 0: the least depth with enough boundaries. For
    /// byDepth, the depth of the stage modules; 0: 1.
    std::uint32_t depth = 0;
    std::string pattern = {};
    /// Of a joint forward-backward program: whether only the forward pass is tagged and the backward calls follow.
    BackwardTags backward = BackwardTags::follow;
    friend bool operator==(const TaggingRequest&, const TaggingRequest&) = default;
};

/// A stage of a proposal.
struct ProposedStage {
    InternedString name;
    std::size_t ops = 0;
    std::uint64_t weightBytes = 0; ///< of the memories that it reads; shared memory counts once
    std::uint64_t usedBytes = 0; ///< memory while it runs, with values freed after their last reader
    std::uint64_t crossingBytes = 0; ///< values from this or earlier stages to later ones, counted once; 0 for the last
    std::string begin; ///< start, as in describePlace(); empty without ops
};

/// Proposed tags, with their properties.
struct TaggingProposal {
    TagAssignment tags;
    std::vector<ProposedStage> stages;
    std::string why; ///< explanation of the tags, in sentences
    std::size_t changed = 0; ///< calls whose tag name changes, including untagged ones
    std::size_t newlyTagged = 0; ///< previously untagged calls among them
    CutLegality legality = {}; ///< backward edges only exist if they existed before, or no tag was legal
    std::uint64_t crossingBytes = 0; ///< of all values that another stage consumes; each value counts once
    std::uint64_t largestBytes = 0; ///< maximum of `usedBytes`
};

/// Creates tags according to the options. `sequence` must belong to the program; `tags` are the existing ones. Fails like
/// consecutiveStages(), stagesAtBorders(), stagesByDepth() and stagesByPattern(), and refuses to fill without existing tags. Near
/// linear in nodes, arguments and stages.
Result<TaggingProposal> proposeTags(const Program& program, const ModelSequence& sequence, const TagAssignment& tags,
                                    const TaggingRequest& wish, ProgressMonitor& monitor = ProgressMonitor::none());

/// Measures tags created in another way. O(nodes + arguments).
TaggingProposal measuredTags(const Program& program, const ModelSequence& sequence, const TagAssignment& before,
                             TagAssignment tags, std::string why);

} // namespace sunder
