#pragma once

#include "layout/compose/compose_links.h"
#include "layout/picture/picture.h"

#include <vector>

namespace sunder::compose {

/// Per dependency whether a part of it leads from one column into another. O(links of all paths).
std::vector<bool> cutDependencies(const collapse::Collapsed& collapsed, const Links& links, std::size_t dependencies,
                                  const std::vector<Index>& columnOf);

/// Gives both ends of every cut dependency a chip that names the other end; items have their sizes. Several readers of
/// one item are one chip there: "→ layers.4 +2".
void addContinuations(const std::vector<collapse::Dependency>& dependencies, const std::vector<bool>& isCut,
                      FlowDirection direction, const TextWidth& textWidth, std::vector<Item>& items);

} // namespace sunder::compose
