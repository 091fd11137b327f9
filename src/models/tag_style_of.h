#pragma once

#include "canvas/picture_style.h"
#include "document/document.h"

namespace sunder {

/// The theme that the application's palette stands for: views ask it when they paint, so a switch needs no wiring.
const Theme& currentTheme();

/// How the document's tags look now: their own colours, or the theme's by hue; codes of all of them.
std::vector<TagLook> tagLooksOf(const Document& document, const Theme& theme);

/// Everything that a picture of the source shows besides its geometry.
PictureStyle pictureStyleOf(const Document& document, const Theme& theme);

} // namespace sunder
