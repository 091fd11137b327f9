// Actions for the tag list: those for the active tag and those for all tags.
#include "app/actions.h"

#include "text/shown_text.h"

namespace sunder {

void Actions::makeTagList()
{
    chooseTag = make(tr("&Choose a tag…"), QStringLiteral("tags"), QKeySequence(Qt::Key_T),
                     tr("Find the tag to paint with by a few letters of its name"));
    chooseTag->setShortcuts({QKeySequence(Qt::Key_T), QKeySequence(Qt::Key_0)});
    protectTags = make(tr("Pr&otect painted ops"), QStringLiteral("protect"), QKeySequence(Qt::SHIFT | Qt::Key_P),
                       tr("Paint only untagged ops; the eraser still removes tags"));
    followForward = make(tr("Keep backward ops with their forward op"), {}, {},
                         tr("In training graphs, give each backward op the stage of its forward op"),
                         QStringLiteral("backward-follows-forward"));
    moveTagUp = make(tr("Move the tag &up"), {}, {}, tr("Run the part of the active tag earlier (Alt+Up in the tag list)"));
    moveTagDown = make(tr("Move the tag &down"), {}, {}, tr("Run the part of the active tag later (Alt+Down in the tag list)"));
    tagCode = make(tr("Change tag code…"), {}, {}, tr("Change the letters that identify the active tag in the graph"),
                   QStringLiteral("code-of-the-tag"));
    lockTag = make(tr("&Lock the tag"), QStringLiteral("lock"), QKeySequence(Qt::CTRL | Qt::Key_L),
                   tr("Until it is unlocked, ops of the active tag keep it and no op can get it"));
    hideTag = make(tr("&Hide the tag"), QStringLiteral("eye-off"), QKeySequence(Qt::CTRL | Qt::SHIFT | Qt::Key_L),
                   tr("Draw the ops of the active tag faintly and without its color"));
    soloTag = make(tr("Show only this tag"), QStringLiteral("eye"), QKeySequence(Qt::CTRL | Qt::ALT | Qt::Key_L),
                   tr("Hide all other tags; choose it again to show all"), QStringLiteral("show-the-tag-alone"));
    showAllTags = make(tr("Show all tags"), {}, {});
    mergeTag = make(tr("Mer&ge the tag into…"), QStringLiteral("merge"), {},
                    tr("Give all ops of the active tag another tag, and remove the active tag"));
    selectTag = make(tr("Select ops with the tag"), {}, {}, tr("Select all ops of the active tag"),
                     QStringLiteral("select-the-ops-of-the-tag"));
    orderTags = make(tr("Order tags topologicall&y"), {}, {}, tr("Put the tags in an order without backward edges"));
    for (QAction* action : {protectTags, followForward, lockTag, hideTag})
        action->setCheckable(true);
}

} // namespace sunder
