#pragma once

#include "passes/split_result.h"
#include "support/progress_monitor.h"
#include "support/result.h"

#include <memory>
#include <vector>

namespace sunder {

/// What a name stands for.
enum class NameKind : std::uint8_t {
    op,
    input,     ///< of the program
    tensor,    ///< a parameter, buffer or constant
    module,    ///< a module that is called
    boundary,  ///< made by the cut: carries a value from part to part
};

/// What the source calls it, and what the cut calls it.
struct NameRow {
    NameKind kind = NameKind::op;
    std::int32_t part = -1; ///< −1: the main graph
    InternedString source;
    InternedString result;
    NodeRef node = {};      ///< in the cut; invalid when no node has that name
};

using NameTable = std::vector<NameRow>;

/// All names of a cut: paths of modules and tensors as the pass mapped them, then nodes in the order of the source.
/// O(pairs × log pairs); fails when cancelled.
Result<std::shared_ptr<const NameTable>> makeNameTable(const Program& source, const SplitResult& split, ProgressMonitor& monitor);

} // namespace sunder
