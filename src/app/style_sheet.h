#pragma once

#include "canvas/palette.h"

#include <QPalette>
#include <QString>

namespace sunder {

/// The palette that all standard widgets paint with.
QPalette paletteOf(const Theme& theme);

/// What a palette cannot say (borders, paddings, the one blue button, slim scroll bars): resources/themes/sunder.qss in the
/// colours of the theme.
QString styleSheetOf(const Theme& theme);

} // namespace sunder
