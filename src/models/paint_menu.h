#pragma once

#include "document/document.h"

#include <QString>

class QMenu;

namespace sunder {

/// Ops that are painted together, and what their step of undo calls them: "hits of op:linear".
struct PaintedList {
    std::vector<NodeId> nodes;
    QString what;
};

/// The selection as such a list: a module by its path, all else as "selection".
PaintedList paintedSelection(const Document& document);

/// Adds "Paint with …" for every tag, at most thirty, for a new one, and "Erase its tags". Locked tags cannot be chosen.
void addPaintActions(QMenu& menu, Document& document, const PaintedList& list);

} // namespace sunder
