#pragma once

#include "document/runs/split_outcome.h"

#include <QString>

namespace sunder {

/// Why something of a partition is where it is. Both are fit to be shown; `answer` is empty where the cut has none.
struct WhyHere {
    QString question; ///< "Why is relu_3 in submod_1?"
    QString answer;
};

/// All that there is to say of a cut that a partitioner made of this graph; empty for another one.
QString whyCut(const Graph& source, const SplitOutcome& cut);
WhyHere whyNodeHere(const Graph& source, const SplitOutcome& cut, NodeId node);
/// A part by its name.
WhyHere whyPartHere(const Graph& source, const SplitOutcome& cut, InternedString part);
/// A device by its logical id.
WhyHere whyDeviceHere(const Graph& source, const SplitOutcome& cut, std::int64_t device);

/// Where a partition put an op of the source: its part, and the names of its devices; empty where it has none.
struct PlaceOfOp {
    QString part;
    QString devices;
};
PlaceOfOp placeOfOp(const SplitOutcome& cut, NodeId op);

} // namespace sunder
