#pragma once

#include "ir/ids.h"

#include <QString>

#include <vector>

namespace sunder {

/// What is selected, in the source and in the result of the last split: always counterparts of each other.
struct Selection {
    std::vector<NodeId> source;  ///< nodes of the source's root graph, by id
    std::vector<NodeRef> result; ///< nodes of the split program, in no certain order
    bool inResult = false;       ///< the person picked in the result: the inspector shows that side
    NodeRef focus;               ///< what was picked, when it was one node
    QString what = {};           ///< "layers.15" when a module was picked as a whole

    [[nodiscard]] bool empty() const { return source.empty() && result.empty(); }
};

} // namespace sunder
