#pragma once

#include "layout/picture/picture.h"

#include <QFont>

namespace sunder {

/// The fonts of pictures, created at kFontUnits times their size in logical pixels to preserve fractions of a pixel. Painters
/// scale down by the same factor.
struct PictureFonts {
    static constexpr double kFontUnits = 2;

    QFont title;  ///< 11 px semibold: operator or class of an item
    QFont frame;  ///< 11 px semibold: title of a frame
    QFont mono;   ///< 9.5 px monospace: names, shapes
    QFont detail; ///< 9.5 px: ops and bytes, notes
    QFont code;   ///< 9.5 px bold: tag codes
    QFont chip;   ///< 9 px monospace
};

/// Returns the size of a font of PictureFonts in logical pixels at 100 %.
double logicalPixelSize(const QFont& font);

/// Returns the fonts, created once from the system's interface and monospace fonts. Needs a QGuiApplication.
const PictureFonts& pictureFonts();

/// Returns the text measure in these fonts, for PictureOptions::textWidth.
TextWidth pictureTextWidth();

} // namespace sunder
