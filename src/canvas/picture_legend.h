#pragma once

#include "canvas/palette.h"
#include "layout/picture/picture.h"

#include <QPixmap>
#include <QString>

#include <functional>
#include <vector>

namespace sunder {

struct PictureStyle;

/// A mark or color of pictures, its meaning, and a small sample picture.
struct LegendEntry {
    QString group; ///< e.g. "Colors"; entries of a group are side by side
    QString means;
    Picture picture;
    std::function<void(PictureStyle&)> style = {}; ///< style of the sample in addition to its tags
    ItemId pointed = {};                           ///< hovered item
    double zoom = 1;
};

/// Returns all marks and colors of graph pictures that are not self-explanatory.
std::vector<LegendEntry> pictureLegend();

/// Size of a sample in view pixels.
inline constexpr QSize kLegendSample{190, 62};

/// Returns the sample picture, painted as on a canvas.
QPixmap legendSample(const LegendEntry& entry, const Theme& theme, double pixelRatio);

} // namespace sunder
