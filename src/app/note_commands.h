#pragma once

#include "app/actions.h"

namespace sunder {

class Document;
class SourcePane;

/// Notes on ops: the command writes one on the selection, a double click edits, the menu of a note removes, dragging moves.
void connectNotes(const Actions& actions, Document& document, SourcePane& source, QWidget& window);

} // namespace sunder
