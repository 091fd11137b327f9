#pragma once

#include "analysis/sequence/cut_sequence.h"
#include "analysis/snapshot.h"
#include "canvas/picture_style.h"

#include <memory>
#include <string>
#include <vector>

namespace sunder {

/// What a strip shows: the model in the order in which it runs, and its tags.
struct SequenceContent {
    SnapshotPtr snapshot;                          ///< null: nothing
    std::shared_ptr<const ModelSequence> sequence; ///< of the snapshot
    TagAssignment tags;
    std::vector<std::int32_t> partOf; ///< per call its tag
    CutSequence cut;
    std::string straightening = {}; ///< what straightening would do; empty where stages follow each other
    std::vector<TagLook> looks;    ///< per tag
    std::vector<bool> isLocked;    ///< per tag
    int run = 0;                   ///< whose parts the tags are: its boundaries stay; 0: the document's tags
    [[nodiscard]] bool isEmpty() const { return !sequence || sequence->callCount() == 0; }
};

} // namespace sunder
