#pragma once

#include "layout/collapse/collapse.h"

#include <set>
#include <string>
#include <vector>

namespace sunder {

/// Ways to fold the lists of a picture into groups, from fine to coarse: keys of the groups of each (PictureOptions::closed).
/// A list is a stretch of three items or more, closed modules and runs that count up and the ops between them. It falls
/// into stages where elements of one class part it again and again: a stage ends with each of them, or begins with each where
/// the first is one, and there are two at least. Stages of several such classes come one behind the other, the shortest first, and last the list as a
/// whole; a list that has fewer ways than another starts later. All that a frame holds is no group. Linear in the items
/// for every class.
std::vector<std::set<std::string>> waysToGroup(const Graph& graph, const collapse::ScopeTree& scopes,
                                               const collapse::UnitGraph& units, const collapse::Collapsed& collapsed,
                                               std::string_view within);

} // namespace sunder
