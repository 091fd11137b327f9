#pragma once

#include "app/actions.h"
#include "document/document.h"

namespace sunder {

/// Connects the commands for the tag list. `window` owns the dialogs.
void connectTagList(const Actions& actions, Document& document, QWidget& window);

/// Enables the commands that currently apply and updates their check marks.
void showTagList(const Actions& actions, const Document& document);

} // namespace sunder
