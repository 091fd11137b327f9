#pragma once

#include "analysis/sequence/border_move.h"
#include "panes/sequence/sequence_content.h"

#include <QStringList>

namespace sunder {

/// The description of a stage boundary, as texts for a card.
struct BorderWords {
    QString title;     ///< "between layers.3 and layers.4"
    QStringList lines; ///< one per stage, and the values that cross
    QString verdict;   ///< "legal"
    bool isLegal = true;
    /// Returns everything in one line, for assistive technology.
    [[nodiscard]] QString spoken() const;
};

BorderWords wordsOf(const SequenceContent& content, const BorderFigures& figures);

} // namespace sunder
