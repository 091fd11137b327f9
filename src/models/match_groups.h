#pragma once

#include "document/tag_transfer.h"

#include <span>
#include <vector>

namespace sunder {

/// An op of the model in the list of matches, or an old one that is lost.
struct MatchRow {
    bool isLost = false;
    std::size_t index = 0; ///< among the calls of the transfer, or what is lost
};

/// Rows in a row of one block of the model that came about in the same way: one line, to be opened.
struct MatchGroup {
    std::size_t first = 0;
    std::size_t count = 1;
    QString block = {}; ///< "layers.3"; empty of a row alone
};

/// Every row is in one group. Of two rows, and of ops in no module, each stands alone. O(rows).
[[nodiscard]] std::vector<MatchGroup> groupsOf(const TagTransfer& transfer, std::span<const MatchRow> rows);

/// Why the ops of a group got their tag, or none, by the blocks that they may be of: "may be ops of layers.2 or layers.3, or new".
[[nodiscard]] QString reasonOf(const TagTransfer& transfer, std::span<const MatchRow> group);

} // namespace sunder
