#pragma once

#include "layout/picture/picture.h"

#include <QFont>

namespace sunder {

/// The fonts of pictures, made at kFontUnits times their size in logical pixels so that fractions of a pixel survive;
/// who paints with them scales down by as much.
struct PictureFonts {
    static constexpr double kFontUnits = 2;

    QFont title;  ///< 11 px semibold, what an item does
    QFont frame;  ///< 11 px semibold, title of a frame
    QFont mono;   ///< 9.5 px monospace, names, shapes
    QFont detail; ///< 9.5 px, ops and bytes, notes
    QFont code;   ///< 9.5 px bold, tag codes
    QFont chip;   ///< 9 px monospace
};

/// Size of a font of PictureFonts in logical pixels at 100 %.
double logicalPixelSize(const QFont& font);

/// Made once from the system's interface and monospace fonts. Needs a QGuiApplication.
const PictureFonts& pictureFonts();

/// Widths in these fonts, for PictureOptions::textWidth.
TextWidth pictureTextWidth();

} // namespace sunder
