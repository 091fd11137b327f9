#pragma once

#include "canvas/picture_style.h"
#include "layout/picture/picture_bodies.h"
#include "support/progress_monitor.h"

#include <QString>

#include <string>
#include <vector>

namespace sunder {

/// Content of a web page that shows a graph: one HTML file without a server, whose modules open and close. References must outlive
/// the call.
struct WebPage {
    QString title; ///< name of the model
    const Program& program;
    const Graph& graph;
    const PictureBodies& bodies;
    const PictureStyle& style; ///< in any theme: the page has both
    QString groups; ///< meaning of the colors, if they are not costs: "Tags", "Operators"
    std::vector<CostFiguresPtr> costs = {}; ///< for tooltips, parts, and totals
    const TagAssignment* cut = nullptr; ///< parts to list, of the root graph; null: none
    bool isDark = false; ///< dark even if the reader's desktop is light
};

/// Returns the page as HTML. Names are data that its script writes as text, never as markup. O(size of the page); with a cut, plus
/// that of its metrics and of the check of its tags.
Result<std::string> webPage(const WebPage& page, const LayoutEngine& engine, ProgressMonitor& monitor);

} // namespace sunder
