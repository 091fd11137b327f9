#pragma once

#include "canvas/drawing.h"
#include "canvas/picture_style.h"
#include "layout/picture/picture_index.h"
#include "support/progress_monitor.h"
#include "support/result.h"

#include <QImage>

#include <optional>
#include <string>

namespace sunder {

struct PictureExportOptions {
    double scale = 1;               ///< pixels (SVG: user units, PDF: points) per logical pixel
    float margin = 16;              ///< logical pixels
    std::optional<Rect> area = {};  ///< part of the picture to export; empty: all of it
    bool transparent = false;       ///< omits the background
    QString title = {};             ///< metadata, in formats that support it
};

/// Returns whether a PNG of this size can be written: at most 30,000 pixels per side and 200 million pixels.
bool fitsIntoPng(Size pixels);

/// Writes the picture as `.svg`, `.png`, or `.pdf`, by the suffix of `path`, with the painters of the screen. SVG and PDF contain
/// every text at any scale, PNG only the texts readable at its scale. A PDF larger than a large sheet is split into pages,
/// between boxes if possible. Selection, search hits, and hover are not shown. The file is written to a temporary name and
/// renamed, so that `path` is unchanged on failure. Returns ErrorCode::usage for unknown suffixes and for scales outside 0.01 …
/// 16. Rejects PNGs that do not pass fitsIntoPng(), with the largest possible scale in the message. Needs a QGuiApplication on
/// any platform, including "offscreen".
/// Memory in addition to the picture is bounded: SVGs are written piece by piece, PDFs page by page. Progress and cancellation
/// are handled between pieces and pages.
Result<void> exportPicture(const ScenePicture& scene, const PictureStyle& style, const std::string& path,
                           const PictureExportOptions& options = {}, ProgressMonitor& monitor = ProgressMonitor::none());
/// The same for a Drawing.
Result<void> exportDrawing(const Drawing& drawing, const std::string& path, const PictureExportOptions& options = {});

/// Returns the picture as pixels, including selection and search hits. Rejects the sizes that exportPicture() rejects for PNG.
Result<QImage> pictureImage(const ScenePicture& scene, const PictureStyle& style, const PictureExportOptions& options);
/// The same for a Drawing.
Result<QImage> drawingImage(const Drawing& drawing, const PictureExportOptions& options);

} // namespace sunder
