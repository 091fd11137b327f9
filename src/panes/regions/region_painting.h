#pragma once

#include "document/document.h"

#include <QString>

class QMenu;

namespace sunder {

/// A group of repeated regions of a run, for commands on all its occurrences.
struct RegionGroupRef {
    RegionsOutcomePtr outcome;
    std::size_t group = 0;
    QString title; ///< "R1 ×32"

    [[nodiscard]] const RegionGroup& regions() const { return outcome->regions.groups[group]; }
};

/// Assigns a tag to all ops of a group, in one undo step. A negative tag does nothing.
void paintGroup(Document& document, const RegionGroupRef& group, int tag);

/// Adds "Paint with …" for each tag and for a new one.
void addPaintActions(QMenu& menu, Document& document, const RegionGroupRef& group);

} // namespace sunder
