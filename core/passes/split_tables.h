#pragma once

#include "passes/split_result.h"
#include "support/progress_monitor.h"
#include "support/result.h"

#include <cstdint>
#include <memory>
#include <vector>

namespace sunder {

/// Returns the call of each part in the main graph; invalid for a part without a call. O(main graph + parts).
std::vector<NodeId> callsOfParts(const SplitResult& split);

/// Returns, per node of the graph of `part` (−1: the main graph), the index of its part, for display. In a part, every call
/// belongs to it. In the main graph, these are the call of a part and the getitems of its results. All other nodes get
/// TagAssignment::kTakesNoTag. O(graph).
std::vector<std::int32_t> partTableOf(const SplitResult& split, int part);

/// The kind of object that a name refers to.
enum class NameKind : std::uint8_t {
    op,
    input,     ///< of the program
    tensor,    ///< a parameter, buffer or constant
    module,    ///< a module that is called
    boundary,  ///< created by the split to pass a value between parts
};

/// A name in the source and the matching name in the split program.
struct NameRow {
    NameKind kind = NameKind::op;
    std::int32_t part = -1; ///< −1: the main graph
    InternedString source;
    InternedString result;
    NodeRef node = {};      ///< in the split program; invalid if no node has that name
};

using NameTable = std::vector<NameRow>;

/// Lists all names of a split: paths of modules and tensors as mapped by the pass, then nodes in source order. O(pairs × log
/// pairs). Fails with ErrorCode::cancelled.
Result<std::shared_ptr<const NameTable>> makeNameTable(const Program& source, const SplitResult& split, ProgressMonitor& monitor);

} // namespace sunder
