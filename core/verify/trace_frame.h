#pragma once

#include "verify/trace.h"

#include <unordered_map>
#include <unordered_set>

namespace sunder {

/// A storage id that different regions turned out to have.
inline constexpr std::uint32_t kSeveralRegions = 0xffffffffU;

/// One call of a graph while it is written out.
struct TraceFrame {
    GraphId graph;
    ModuleId module; ///< where its attributes are looked up
    std::vector<ValueId> values;
    std::unordered_map<InternedString, std::uint32_t> storages = {}; ///< regions by the storage ids of its `val`s
    std::uint32_t depth = 0;
    bool again = false;    ///< the graph has been called before: its `val`s may describe that call
    bool described = true; ///< what the file says of its values holds for this call
    std::unordered_set<ValueId> undescribed = {}; ///< values it was given of which the file does not say here what they are
};

} // namespace sunder
