#pragma once

#include "app/actions.h"

namespace sunder {

class Document;
class SourcePane;

/// Connects the commands for notes on ops: add one to the selection, edit by double click, remove by menu, move by dragging.
void connectNotes(const Actions& actions, Document& document, SourcePane& source, QWidget& window);

/// Enables the command for the selection and names it: "Edit note…" if the op already has its note.
void showNoteCommand(const Actions& actions, const Document& document);

} // namespace sunder
