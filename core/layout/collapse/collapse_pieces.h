#pragma once

#include "layout/collapse/collapse_stretches.h"

#include <functional>
#include <vector>

namespace sunder::collapse {

/// A run of siblings as it is shown: folded into one item, or opened into a frame.
struct Piece {
    std::vector<std::vector<Index>> members; ///< per member its children: the module and the plain units that go with it
    bool isOpen = false;
    bool isVaried = false; ///< its members are of one kind, but not equal
};

/// The children of a body put together: a piece is one node of `graph`, every other child another.
struct Folding {
    std::vector<Piece> pieces;
    std::vector<Index> elementOf;              ///< per child
    std::vector<std::vector<Index>> elements;  ///< children of each, ascending
    std::vector<Index> pieceOf;                ///< per element; kNone: a single child
    Quotient graph;
};

/// Folds `pieces` (one child a member, children in order of execution) as far as no cycle comes of it: a run whose
/// members stand apart takes the plain units between them in (what feeds an expert, and what weighs its result) when
/// these are alike or of one kind, else it falls into runs of neighbours where it would close a cycle.
/// `structureOf(children, isVaried)` tells whether sets of children are alike, or of one kind. Linear a round but for the
/// places of the gaps that are tried; at most two rounds.
Folding foldPieces(const Quotient& children, std::vector<Piece> pieces,
                   const std::function<std::uint64_t(const std::vector<Index>&, bool isVaried)>& structureOf);

} // namespace sunder::collapse
