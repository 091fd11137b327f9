#pragma once

#include "ir/ids.h"

#include <QString>

#include <algorithm>
#include <vector>

namespace sunder {

/// What is selected: nodes of the source. What stands for them in the program of a run, the document says
/// (Document::selectedIn), so any number of results can be beside the source.
struct Selection {
    std::vector<NodeId> source;  ///< nodes of the source's root graph, by id
    int run = 0;                 ///< in whose program the person picked; 0: in the source
    std::vector<NodeRef> picked; ///< there, and what else stands for the same node; empty when picked in the source
    NodeRef focus;               ///< what was picked, when it was one node, in the program of `run` or the source
    QString what = {};           ///< "layers.15" when a module was picked as a whole

    [[nodiscard]] bool empty() const { return source.empty() && picked.empty(); }
};

/// Sorts, and leaves each once. O(n) for what is sorted already.
template <typename T>
void makeSet(std::vector<T>& values)
{
    if (!std::is_sorted(values.begin(), values.end()))
        std::sort(values.begin(), values.end());
    values.erase(std::unique(values.begin(), values.end()), values.end());
}

} // namespace sunder
