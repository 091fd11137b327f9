#pragma once

#include "analysis/sequence/cut_sequence.h"
#include "analysis/snapshot.h"
#include "canvas/picture_style.h"

#include <memory>
#include <string>
#include <vector>

namespace sunder {

/// The content of a strip: the model in runtime order, and its tags.
struct SequenceContent {
    SnapshotPtr snapshot;                          ///< null: no content
    std::shared_ptr<const ModelSequence> sequence; ///< of the snapshot
    TagAssignment tags;
    std::vector<std::int32_t> partOf; ///< tag per call
    CutSequence cut;
    std::string straightening = {}; ///< effect of straightening the cut; empty if stages are not interleaved
    std::vector<TagLook> looks;    ///< per tag
    std::vector<bool> isLocked;    ///< per tag
    int run = 0;                   ///< run whose parts are shown, with fixed boundaries; 0: the document's tags
    [[nodiscard]] bool isEmpty() const { return !sequence || sequence->callCount() == 0; }
};

} // namespace sunder
