#pragma once

#include "document/document.h"

#include <functional>

class QMenu;

namespace sunder {

/// What a menu of a tag needs the panel for.
struct TagMenuActions {
    std::function<void()> rename;
    std::function<void()> changeCode;
    std::function<void()> chooseColor; ///< any, beside those of the palette
};

/// What can be done with a tag.
void fillTagMenu(QMenu& menu, Document& document, int tag, const TagMenuActions& actions);

/// Colours for a tag: the palette, the same with patterns, and any other.
void addColorActions(QMenu& menu, Document& document, int tag, const std::function<void()>& chooseColor);

} // namespace sunder
