#pragma once

#include "analysis/tag_assignment.h"

#include <QColor>
#include <QString>

#include <vector>

namespace sunder {

/// Color of a tag, custom or from the theme. Reordering tags does not change their colors.
struct TagColor {
    std::uint32_t hue = 0; ///< index for tagStyle()
    QColor own = {};       ///< chosen by the user or the file; invalid if `hue` applies
    bool isChosen = false; ///< `hue` was chosen by the user or a file, not by index; saved in files
    friend bool operator==(const TagColor&, const TagColor&) = default;
};

/// Properties of a tag other than its name and nodes.
struct TagTraits {
    TagColor color = {};
    QString code = {};     ///< 1–3 letters or digits chosen by the user; empty for the default of tagCodes()
    bool isLocked = false; ///< edits neither add nor remove nodes
    bool isHidden = false; ///< its nodes are drawn faint
    friend bool operator==(const TagTraits&, const TagTraits&) = default;
};

/// Tag data that undo restores when the tag list changes.
struct TagState {
    TagAssignment tags;
    std::vector<TagTraits> traits; ///< per tag, as long as tags.order
    int active = -1;               ///< tag of the brush; −1 if there are no tags
    bool protectsTagged = false;   ///< strokes change only untagged nodes
    /// Of a joint program: every backward op has the backward tag of its forward op, after every edit.
    bool backwardFollows = true;
};

} // namespace sunder
