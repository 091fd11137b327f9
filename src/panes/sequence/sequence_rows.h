#pragma once

#include "panes/sequence/sequence_content.h"
#include "panes/sequence/sequence_scale.h"

#include <QString>

#include <span>
#include <vector>

namespace sunder {

/// A piece of a strip from one line to another that tags divide alike, side by side.
struct SequenceRow {
    struct Share {
        std::int32_t tag = TagAssignment::kUntagged;
        double share = 0; ///< of the width: bytes, of what has none ops
        friend bool operator==(const Share&, const Share&) = default;
    };
    double top = 0;
    double bottom = 0;
    std::vector<Share> shares; ///< by tags, those without one last; they add up to 1
};

/// The tags of all calls in lines of a device pixel; lines that look alike are one row. O(calls + lines).
std::vector<SequenceRow> sequenceRows(const ModelSequence& sequence, std::span<const std::int32_t> partOf,
                                      const SequenceScale& scale, double pixelRatio);

/// A module's name in a strip.
struct SequenceLabel {
    std::size_t visit = 0;
    double y = 0;         ///< its middle
    bool isInner = false; ///< of a module inside of one that has its name above it
};

/// The depth of the modules that a strip names: the deepest, from the coarse one on, whose visits are high enough for a line of text
/// each, in the mean. O(visits × depths).
std::uint8_t labelledDepth(const ModelSequence& sequence, const SequenceScale& scale, double lineHeight);

/// Visits of the coarse depth, at their begin, and between them those of the labelled depth, as many as have a line each; of less
/// depth those that hold none so deep. A label that would lie on the one before moves down within its module; where there is no room,
/// the longer module has its name. O(visits).
std::vector<SequenceLabel> sequenceLabels(const ModelSequence& sequence, const SequenceScale& scale, double lineHeight);

/// The part of a path behind the module around it: "attn" of "layers.3.attn", "layers.3" of itself. Numbers say nothing alone:
/// "features.1.0" stays whole.
QString visitLabel(const ModelSequence& sequence, const ModuleVisit& visit);

/// The visit around a call of at most this depth, the innermost one; −1: none.
std::int32_t visitAround(const ModelSequence& sequence, std::uint32_t call, std::uint8_t depth);

} // namespace sunder
