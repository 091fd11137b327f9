#pragma once

#include "panes/sequence/sequence_content.h"

#include <QRectF>
#include <QString>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <span>
#include <vector>

namespace sunder {

/// Maps places of a sequence to positions in a strip: from top to bottom, with equal height per call.
struct SequenceScale {
    QRectF bar;              ///< rectangle of the tags
    std::uint32_t calls = 1; ///< at least one

    [[nodiscard]] double y(double place) const { return bar.top() + bar.height() * place / calls; }
    /// Returns the nearest place.
    [[nodiscard]] std::uint32_t place(double y) const
    {
        return static_cast<std::uint32_t>(std::clamp(std::round(exact(y)), 0.0, static_cast<double>(calls)));
    }
    /// Returns the call at this position.
    [[nodiscard]] std::uint32_t call(double y) const
    {
        return static_cast<std::uint32_t>(std::clamp(std::floor(exact(y)), 0.0, static_cast<double>(calls) - 1));
    }
    [[nodiscard]] double callHeight() const { return bar.height() / calls; }

private:
    [[nodiscard]] double exact(double y) const { return bar.height() <= 0 ? 0 : (y - bar.top()) * calls / bar.height(); }
};

/// A horizontal band of a strip with one distribution of tags, drawn side by side.
struct SequenceRow {
    struct Share {
        std::int32_t tag = TagAssignment::kUntagged;
        double share = 0; ///< fraction of the width; a call weighs its bytes plus one
        friend bool operator==(const Share&, const Share&) = default;
    };
    double top = 0;
    double bottom = 0;
    std::vector<Share> shares; ///< by tag, untagged last; they add up to 1
};

/// Returns the tags of all calls, in lines of one device pixel; equal adjacent lines are merged into one row. O(calls + lines).
std::vector<SequenceRow> sequenceRows(const ModelSequence& sequence, std::span<const std::int32_t> partOf,
                                      const SequenceScale& scale, double pixelRatio);

/// A module name in a strip.
struct SequenceLabel {
    std::size_t visit = 0;
    double y = 0;         ///< vertical center
    bool isInner = false; ///< of a module inside another module whose name is above it
};

/// Returns the depth of the labeled modules: the deepest one, starting at the coarse depth, whose visits have at least one line
/// of text each on average. O(visits × depths).
std::uint8_t labeledDepth(const ModelSequence& sequence, const SequenceScale& scale, double lineHeight);

/// Returns the labels: visits of the coarse depth at their start and, between them, visits of labeledDepth() that have a line
/// each. Less deep visits count if they contain no other visit. A label that would overlap the previous one moves down within its
/// module; if there is no room, the longer module is labeled. O(visits).
std::vector<SequenceLabel> sequenceLabels(const ModelSequence& sequence, const SequenceScale& scale, double lineHeight);

/// Returns the path relative to the enclosing module: "attn" for "layers.3.attn", "layers.3" at the top level. A part that begins
/// with a number includes the name before it, as in "features.1.0".
QString visitLabel(const ModelSequence& sequence, const ModuleVisit& visit);

/// Returns the innermost visit of at most this depth that contains a call; −1: none.
std::int32_t visitAround(const ModelSequence& sequence, std::uint32_t call, std::uint8_t depth);

} // namespace sunder
