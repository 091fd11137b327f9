#pragma once

#include "ir/ids.h"
#include "support/diagnostic.h"

#include <QString>

#include <vector>

namespace sunder {

/// A way out of a problem, with its price in the label. Applied by Document::apply().
struct Repair {
    enum class Kind : quint8 {
        retag,   ///< gives `nodes` the tag `tag`
        fillIn,  ///< gives every untagged node the earliest tag that its producers allow
        reorder, ///< puts the tags in the order `order` (old indices)
        show,    ///< selects `nodes`
        removeTag,
        stages,  ///< tags everything with `tag` equal stages
    } kind = Kind::show;
    QString label;
    QString tip = {};
    std::vector<NodeId> nodes = {};
    int tag = -1;
    std::vector<int> order = {};
};

/// Something that stands in the way of a split, or should be known before one.
struct Problem {
    enum class Kind : quint8 { backwardEdge, untagged, cycle, notEqual, undecided, sharedWeight, nonTensor, emptyTag, more };

    Kind kind = Kind::untagged;
    Severity severity = Severity::error;
    QString text;                  ///< a sentence
    std::vector<NodeId> nodes = {}; ///< of the source; activating the problem leads to them
    std::vector<Repair> repairs = {};
};

using Problems = std::vector<Problem>;

} // namespace sunder
