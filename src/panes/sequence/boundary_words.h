#pragma once

#include "analysis/sequence/boundary_move.h"
#include "panes/sequence/sequence_content.h"

#include <QStringList>

namespace sunder {

/// The description of a stage boundary, as texts for a card.
struct BoundaryWords {
    QString title;     ///< "between layers.3 and layers.4"
    QStringList lines; ///< one per stage, and the values that cross
    QString verdict;   ///< "legal"
    bool isLegal = true;
    /// Returns everything in one line, for assistive technology.
    [[nodiscard]] QString spoken() const;
};

BoundaryWords wordsOf(const SequenceContent& content, const BoundaryFigures& figures);

} // namespace sunder
