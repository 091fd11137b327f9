#pragma once

#include "canvas/drawing.h"
#include "canvas/picture_style.h"
#include "layout/picture/scene_picture.h"
#include "support/progress_monitor.h"
#include "support/result.h"

#include <QImage>

#include <optional>
#include <string>

namespace sunder {

struct PictureExportOptions {
    double scale = 1;               ///< pixels (SVG: user units, PDF: points) per logical pixel
    float margin = 16;              ///< kept free around, logical pixels
    std::optional<Rect> area = {};  ///< only this part of the picture; empty: all of it
    bool transparent = false;       ///< leaves the canvas colour out
    QString title = {};             ///< written into the file where the format has a place for it
};

/// A PNG of this size, in pixels, is written: at most 30,000 a side and 200 million in all.
bool fitsIntoPng(Size pixels);

/// Writes the picture as `.svg`, `.png` or `.pdf`, by the suffix of `path`, through the same code that paints the
/// screen; SVG and PDF with every text at any scale, PNG with what can be read at its scale. A PDF of more than a large sheet
/// has pages, which end between boxes where they can. What is selected, found or hovered is not shown. Written beside and
/// renamed: on failure `path` is as it was. Refuses unknown suffixes and scales outside 0.01 … 16 (usage), and PNGs
/// over 30,000 pixels a side or 200 million in all, naming the largest scale that works. Needs a QGuiApplication on
/// any platform ("offscreen" does).
/// What it takes beside the picture is bounded: an SVG is written piece by piece, pages of a PDF one by one. Says how far it
/// is, and ends when it is cancelled, between pieces and pages.
Result<void> exportPicture(const ScenePicture& scene, const PictureStyle& style, const std::string& path,
                           const PictureExportOptions& options = {}, ProgressMonitor& monitor = ProgressMonitor::none());
/// The same of something else that is drawn.
Result<void> exportDrawing(const Drawing& drawing, const std::string& path, const PictureExportOptions& options = {});

/// The picture as pixels, with what is selected and found in it. Refused as a PNG of that size is.
Result<QImage> pictureImage(const ScenePicture& scene, const PictureStyle& style, const PictureExportOptions& options);
/// The same of something else that is drawn.
Result<QImage> drawingImage(const Drawing& drawing, const PictureExportOptions& options);

} // namespace sunder
