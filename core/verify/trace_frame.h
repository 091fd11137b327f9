#pragma once

#include "verify/trace.h"

#include <unordered_map>
#include <unordered_set>

namespace sunder {

/// Marks a storage id that occurred in several regions.
inline constexpr std::uint32_t kSeveralRegions = 0xffffffffU;

/// One call of a graph during inlining.
struct TraceFrame {
    GraphId graph;
    ModuleId module; ///< the module that resolves its attributes
    std::vector<ValueId> values;
    std::unordered_map<InternedString, std::uint32_t> storages = {}; ///< storage id in a `val` → region
    std::uint32_t depth = 0;
    bool again = false;    ///< the graph was called before, so its `val`s may describe that call
    bool described = true; ///< the file's descriptions hold for this call
    std::unordered_set<ValueId> undescribed = {}; ///< passed values that the file does not describe here
};

} // namespace sunder
