#pragma once

#include "layout/collapse/collapse_stretches.h"

#include <functional>
#include <vector>

namespace sunder::collapse {

/// A run of siblings as shown: folded into one item, or opened into a frame.
struct Piece {
    std::vector<std::vector<Index>> members; ///< children per member: the module and the plain units that belong to it
    bool isOpen = false;
    bool isVaried = false; ///< members are of one kind, but not equal
};

/// The folded children of a body: each piece is one node of `graph`, and so is each remaining child.
struct Folding {
    std::vector<Piece> pieces;
    std::vector<Index> elementOf;              ///< per child
    std::vector<std::vector<Index>> elements;  ///< children of each, ascending
    std::vector<Index> pieceOf;                ///< per element; kNone: a single child
    Quotient graph;
};

/// Folds `pieces` (one child per member, children in execution order) without creating a cycle.
///
/// If the members of a run are not adjacent, the plain units between them (e.g. those that prepare the input of an expert and
/// weight its result) join the members, provided that all members stay alike or of one kind. A run that would still close a cycle
/// is divided into runs of adjacent members. `structureOf(children, isVaried)` returns equal hashes for sets of children that are
/// alike, or of one kind. Linear per round, except for the tried divisions of gaps; at most two rounds.
Folding foldPieces(const Quotient& children, std::vector<Piece> pieces,
                   const std::function<std::uint64_t(const std::vector<Index>&, bool isVaried)>& structureOf);

} // namespace sunder::collapse
