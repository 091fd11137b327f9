#pragma once

#include "layout/collapse/collapse.h"

#include <set>
#include <string>
#include <vector>

namespace sunder {

/// Returns ways to fold the lists of a picture into groups, from fine to coarse, as keys for PictureOptions::closed.
///
/// A list is a sequence of at least three closed modules and runs with ascending numbers, including the ops between them. A class
/// whose elements recur divides it into at least two stages: each stage ends with such an element, or begins with one if the list
/// does. The ways of several classes are ordered from short to long stages; the last way folds the list as a whole. Lists with
/// fewer ways than others start later. The whole content of a frame is never a group. Linear in the items for every class.
std::vector<std::set<std::string>> waysToGroup(const Graph& graph, const collapse::ScopeTree& scopes,
                                               const collapse::UnitGraph& units, const collapse::Collapsed& collapsed,
                                               std::string_view within);

} // namespace sunder
