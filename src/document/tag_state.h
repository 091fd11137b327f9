#pragma once

#include "analysis/tag_assignment.h"

#include <QColor>
#include <QString>

#include <vector>

namespace sunder {

/// The colour of a tag: one of its own, or one of the theme's. It stays with the tag when tags are reordered.
struct TagColor {
    std::uint32_t hue = 0; ///< index for tagStyle()
    QColor own = {};       ///< chosen by the person or the file; invalid: by hue
    bool isChosen = false; ///< a person or a file chose the hue, so files keep it; else it came by place
    friend bool operator==(const TagColor&, const TagColor&) = default;
};

/// What goes with a tag beside its name and its nodes, wherever it is moved.
struct TagTraits {
    TagColor color = {};
    QString code = {};     ///< 1–3 letters that a person chose; empty: by the name, as tagCodes() does
    bool isLocked = false; ///< neither strokes nor repairs give or take nodes
    bool isHidden = false; ///< its nodes are drawn faint
    friend bool operator==(const TagTraits&, const TagTraits&) = default;
};

/// All that undo has to bring back when the list of tags changes.
struct TagState {
    TagAssignment tags;
    std::vector<TagTraits> traits; ///< per tag, as long as tags.order
    int active = -1;               ///< tag that the brush paints; −1: there are no tags
    bool protectsTagged = false;   ///< strokes take untagged nodes alone
    /// Of a joint program: every backward op has the backward tag of the forward op that it belongs to, whatever is done.
    bool backwardFollows = true;
};

} // namespace sunder
