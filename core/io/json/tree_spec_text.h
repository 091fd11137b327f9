#pragma once

#include "ir/tree_spec.h"

#include <string>

namespace sunder {

/// A spec as torch writes it (`treespec_dumps`), dicts with their keys. Of tuples, lists and dicts; empty where something else
/// is in it. O(size).
std::string treeSpecText(const TreeSpec& spec);

} // namespace sunder
