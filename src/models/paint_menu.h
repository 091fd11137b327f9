#pragma once

#include "document/document.h"

#include <QString>

class QMenu;

namespace sunder {

/// Ops to paint together, and their name in the undo step, e.g. "hits of op:linear".
struct PaintedList {
    std::vector<NodeId> nodes;
    QString what;
};

/// Returns the selection as such a list: a module by its path, everything else as "selection".
PaintedList paintedSelection(const Document& document);

/// Adds "Paint with …" for each tag (at most thirty) and for a new one, and "Erase its tags". Locked tags are disabled.
void addPaintActions(QMenu& menu, Document& document, const PaintedList& list);

} // namespace sunder
