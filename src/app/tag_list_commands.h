#pragma once

#include "app/actions.h"
#include "document/document.h"

namespace sunder {

/// Makes the commands for the list of tags do what they say. `window` owns the dialogs.
void connectTagList(const Actions& actions, Document& document, QWidget& window);

/// Enables those of them that there is something for, and checks those that are on.
void showTagList(const Actions& actions, const Document& document);

} // namespace sunder
