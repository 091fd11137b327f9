#pragma once

#include "document/document.h"

#include <functional>

class QMenu;

namespace sunder {

/// The actions of a tag menu that need the panel.
struct TagMenuActions {
    std::function<void()> rename;
    std::function<void()> changeCode;
    std::function<void()> chooseColor; ///< any color, in addition to the palette
};

/// Fills a menu with the actions on a tag.
void fillTagMenu(QMenu& menu, Document& document, int tag, const TagMenuActions& actions);

/// Adds colors for a tag: the palette, the palette with patterns, and any other color.
void addColorActions(QMenu& menu, Document& document, int tag, const std::function<void()>& chooseColor);

} // namespace sunder
