#pragma once

#include "app/actions.h"
#include "document/document.h"

namespace sunder {

/// Makes the commands that concern nothing but the document (selection, tags, results) do what they say.
void connectDocumentCommands(const Actions& actions, Document& document);

/// Enables those of all commands that there is something for.
void showWhatIsPossible(const Actions& actions, const Document& document);

} // namespace sunder
