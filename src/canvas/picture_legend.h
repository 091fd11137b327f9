#pragma once

#include "canvas/palette.h"
#include "layout/picture/picture.h"

#include <QPixmap>
#include <QString>

#include <functional>
#include <vector>

namespace sunder {

struct PictureStyle;

/// A mark or a color of pictures, shown by a small picture that has it, and what it means.
struct LegendEntry {
    QString group; ///< "Colors"; entries of one stand side by side
    QString means;
    Picture picture;
    std::function<void(PictureStyle&)> style = {}; ///< what the small picture has besides its tags
    ItemId pointed = {};                           ///< what the mouse is on
    double zoom = 1;
};

/// Everything that stands in pictures of graphs and is not said there in words.
std::vector<LegendEntry> pictureLegend();

/// Size of a sample, in view pixels.
inline constexpr QSize kLegendSample{190, 62};

/// The small picture, painted as canvases paint.
QPixmap legendSample(const LegendEntry& entry, const Theme& theme, double pixelRatio);

} // namespace sunder
