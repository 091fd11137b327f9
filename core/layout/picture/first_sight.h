#pragma once

#include "layout/picture/picture.h"

namespace sunder {

/// A picture that says what a model is before anything is asked of it.
struct FirstSight {
    Picture picture;
    std::set<std::string> open; ///< keys of what is open in it
    std::set<std::string> closed; ///< keys of the groups that are folded in it
};

/// Opens the outermost level that says something (more than a few members, or a run of equal ones), then further levels as
/// long as the whole is seen in the room of `options.columns` with every text: a level at once, else those of one class,
/// the largest first; of a run its first member. `options.open` does not count. Where the first level alone does not fit,
/// its lists are folded into groups, by stages where they have any (`waysToGroup()`), or less of it is open: the smaller
/// classes stay closed, then lists fold as a whole, then the levels around it are tried. Where nothing of all this fits, the
/// level is drawn nevertheless. At most some 40 pictures of what fits into the room; linear in nodes for each. Fails when
/// cancelled or as the engine does.
Result<FirstSight> firstSight(const Program& program, GraphId graph, const PictureOptions& options, const LayoutEngine& engine,
                              ProgressMonitor& monitor = ProgressMonitor::none());

} // namespace sunder
