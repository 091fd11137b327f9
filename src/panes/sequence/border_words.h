#pragma once

#include "analysis/sequence/border_move.h"
#include "panes/sequence/sequence_content.h"

#include <QStringList>

namespace sunder {

/// A border of a cut in words, as a card shows it.
struct BorderWords {
    QString title;     ///< "between layers.3 and layers.4"
    QStringList lines; ///< a stage each, and what crosses
    QString verdict;   ///< "legal"
    bool isLegal = true;
    /// In one line, for those who hear it.
    [[nodiscard]] QString spoken() const;
};

BorderWords wordsOf(const SequenceContent& content, const BorderFigures& figures);

} // namespace sunder
