#pragma once

#include "app/actions.h"
#include "document/document.h"

namespace sunder {

/// Connects the commands that only need the document: selection, tags, and results.
void connectDocumentCommands(const Actions& actions, Document& document);

/// Enables the commands that currently apply.
void showWhatIsPossible(const Actions& actions, const Document& document);

} // namespace sunder
