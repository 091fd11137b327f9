#pragma once

#include "document/runs/split_outcome.h"

#include <QString>

namespace sunder {

/// Explains a placement in a partition. Both texts are displayable; `answer` is empty if the cut has no explanation.
struct WhyHere {
    QString question; ///< "Why is relu_3 in submod_1?"
    QString answer;
};

/// Returns all explanations of a partition of this graph; empty for a split by tags.
QString whyCut(const Graph& source, const SplitOutcome& cut);
/// Returns "Why is relu_3 here?".
QString questionAbout(const Graph& source, NodeId node);
WhyHere whyNodeHere(const Graph& source, const SplitOutcome& cut, NodeId node);
/// Explains a part by name.
WhyHere whyPartHere(const Graph& source, const SplitOutcome& cut, InternedString part);
/// Explains a device by logical id.
WhyHere whyDeviceHere(const Graph& source, const SplitOutcome& cut, std::int64_t device);

/// The part of a source op in a partition and the names of its devices; empty if it has none.
struct PlaceOfOp {
    QString part;
    QString devices;
};
PlaceOfOp placeOfOp(const SplitOutcome& cut, NodeId op);

} // namespace sunder
