#pragma once

#include "canvas/palette.h"

#include <QPalette>
#include <QString>

namespace sunder {

/// Returns the palette of all standard widgets.
QPalette paletteOf(const Theme& theme);

/// Returns resources/themes/sunder.qss with the colors of the theme. A palette does not cover these properties: borders,
/// paddings, the blue default button, slim scroll bars.
QString styleSheetOf(const Theme& theme);

} // namespace sunder
