#pragma once

#include "support/interned_string.h"
#include "support/result.h"

#include <string>
#include <utility>
#include <vector>

namespace sunder {

/// Names before and after a split, as SplitResult::fqnMap has them.
using NameMap = std::vector<std::pair<InternedString, InternedString>>;

/// A MAP.json of `docs/command-line.md`, a line a name: {"conv1.weight":"a.conv1.weight", …}. Of a name that stands twice the
/// last one holds.
std::string nameMapJson(const NameMap& names);

/// Writes that text; the file appears whole or not at all.
Result<void> writeNameMap(const NameMap& names, const std::string& path);

} // namespace sunder
