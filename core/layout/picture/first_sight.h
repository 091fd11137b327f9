#pragma once

#include "layout/picture/picture.h"

namespace sunder {

/// The initial picture of a model.
struct FirstSight {
    Picture picture;
    std::set<std::string> open; ///< keys of open modules and runs
    std::set<std::string> closed; ///< keys of folded groups
};

/// Draws the initial picture of a graph, opening as many modules as fit.
///
/// Opens the outermost level that shows structure (more than a few members, or a run of equal ones). Then opens further levels
/// while the whole picture fits into the room of `options.columns` with all texts readable: a whole level if possible, else
/// single classes, the largest first; of a run, only its first member. `options.open` is ignored.
///
/// If even the first level does not fit, alternatives are tried in this order: folding its lists into groups, by stages if they
/// have any (`waysToGroup()`); closing the smaller classes; folding whole lists; using an enclosing level. If nothing fits, the
/// level is drawn anyway. Draws about 40 pictures at most, each linear in nodes. Fails when canceled or like the engine.
Result<FirstSight> firstSight(const Program& program, GraphId graph, const PictureOptions& options, const LayoutEngine& engine,
                              ProgressMonitor& monitor = ProgressMonitor::none());

} // namespace sunder
