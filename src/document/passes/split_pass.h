#pragma once

#include "document/passes/pass.h"
#include "passes/split_by_tags/split_by_tags.h"

namespace sunder {

/// Why the model cannot be split by its tags as they are, a sentence; empty when it can.
QString refusalOfTags(const Document& document);

/// Options of a split by tags, from and as plain values.
[[nodiscard]] SplitOptions splitOptionsOf(const PassOptions& options);
[[nodiscard]] PassOptions asPassOptions(const SplitOptions& options);

} // namespace sunder
