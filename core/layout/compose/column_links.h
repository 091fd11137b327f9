#pragma once

#include "layout/compose/compose_links.h"
#include "layout/picture/picture.h"

#include <vector>

namespace sunder::compose {

/// Returns for each dependency whether it crosses from one column into another. O(links of all paths).
std::vector<bool> cutDependencies(const collapse::Collapsed& collapsed, const Links& links, std::size_t dependencies,
                                  const std::vector<Index>& columnOf);

/// Adds a chip to both ends of every cut dependency that names the other end. Items must have their sizes. Several consumers of
/// one item share a chip: "→ layers.4 +2".
void addContinuations(const std::vector<collapse::Dependency>& dependencies, const std::vector<bool>& isCut,
                      FlowDirection direction, const TextWidth& textWidth, std::vector<Item>& items);

} // namespace sunder::compose
