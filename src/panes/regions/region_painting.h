#pragma once

#include "document/document.h"

#include <QString>

class QMenu;

namespace sunder {

/// A group of repeated regions of a run, by which all its occurrences are meant at once.
struct RegionGroupRef {
    RegionsOutcomePtr outcome;
    std::size_t group = 0;
    QString title; ///< "R1 ×32"

    [[nodiscard]] const RegionGroup& regions() const { return outcome->regions.groups[group]; }
};

/// Gives all ops of a group a tag as one undo step; a tag below 0 does nothing.
void paintGroup(Document& document, const RegionGroupRef& group, int tag);

/// Adds "Paint with …" for every tag and for a new one.
void addPaintActions(QMenu& menu, Document& document, const RegionGroupRef& group);

} // namespace sunder
