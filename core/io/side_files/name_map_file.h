#pragma once

#include "support/interned_string.h"
#include "support/result.h"

#include <string>
#include <utility>
#include <vector>

namespace sunder {

/// Names before and after a split, see SplitResult::fqnMap.
using NameMap = std::vector<std::pair<InternedString, InternedString>>;

/// Returns the MAP.json of `docs/command-line.md`, one name per line: {"conv1.weight":"a.conv1.weight", …}. The last of duplicate
/// names is used.
std::string nameMapJson(const NameMap& names);

/// Writes the file, which is replaced atomically.
Result<void> writeNameMap(const NameMap& names, const std::string& path);

} // namespace sunder
