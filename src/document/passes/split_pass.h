#pragma once

#include "document/passes/pass.h"
#include "passes/split_by_tags/split_by_tags.h"

namespace sunder {

/// Returns why the model cannot be split by its current tags, as a sentence; empty if it can.
QString refusalOfTags(const Document& document);

/// Converts between SplitOptions and the plain values of PassOptions.
[[nodiscard]] SplitOptions splitOptionsOf(const PassOptions& options);
[[nodiscard]] PassOptions asPassOptions(const SplitOptions& options);

} // namespace sunder
