#pragma once

#include "document/tag_transfer.h"

#include <span>
#include <vector>

namespace sunder {

/// An op of the model in the list of matches, or a lost old op.
struct MatchRow {
    bool isLost = false;
    std::size_t index = 0; ///< among the calls of the transfer, or among the lost ops
};

/// Consecutive rows of one block of the model that were matched in the same way: one line that can be expanded.
struct MatchGroup {
    std::size_t first = 0;
    std::size_t count = 1;
    QString block = {}; ///< e.g. "layers.3"; empty for a single row
};

/// Groups the rows; each row is in one group. Two rows, and ops outside modules, are not combined. O(rows).
[[nodiscard]] std::vector<MatchGroup> groupsOf(const TagTransfer& transfer, std::span<const MatchRow> rows);

/// Returns why the ops of a group got their tag, or none, by the candidate blocks: "may match ops in layers.2 or layers.3, or be
/// new".
[[nodiscard]] QString reasonOf(const TagTransfer& transfer, std::span<const MatchRow> group);

} // namespace sunder
