// Actions for the tag list: those for the active tag and those for all tags.
#include "app/actions.h"

#include "text/shown_text.h"

namespace sunder {

void Actions::makeTagList()
{
    chooseTag = make(tr("&Choose a tag…"), QStringLiteral("tags"), QKeySequence(Qt::Key_T),
                     tr("Choose the tag to paint with by some letters of its name"));
    chooseTag->setShortcuts({QKeySequence(Qt::Key_T), QKeySequence(Qt::Key_0)});
    protectTags = make(tr("Pr&otect painted ops"), QStringLiteral("protect"), QKeySequence(Qt::SHIFT | Qt::Key_P),
                       tr("Paint only ops that have no tag; the eraser still takes tags away"));
    followForward = make(
        tr("Backward follows forward"), {}, {},
        tr("Of a model with a backward pass: each of its ops is tagged beside the forward op that it belongs to"));
    moveTagUp = make(tr("Move the tag &up"), {}, {}, tr("The active tag's part runs earlier (Alt+Up, in the list of tags)"));
    moveTagDown = make(tr("Move the tag &down"), {}, {}, tr("The active tag's part runs later (Alt+Down, in the list of tags)"));
    tagCode = make(tr("Code of the tag…"), {}, {}, tr("Change the letters by which the active tag is known in the graph"));
    lockTag = make(tr("&Lock the tag"), QStringLiteral("lock"), QKeySequence(Qt::CTRL | Qt::Key_L),
                   tr("Nothing is painted over ops of the active tag, nor given to it, until it is unlocked"));
    hideTag = make(tr("&Hide the tag"), QStringLiteral("eye-off"), QKeySequence(Qt::CTRL | Qt::SHIFT | Qt::Key_L),
                   tr("Draw the ops of the active tag faint, without its colour"));
    soloTag = make(tr("Show the tag alone"), QStringLiteral("eye"), QKeySequence(Qt::CTRL | Qt::ALT | Qt::Key_L),
                   tr("Hide all other tags; once more: show all"));
    showAllTags = make(tr("Show all tags"), {}, {});
    mergeTag = make(tr("Mer&ge the tag into…"), QStringLiteral("merge"), {},
                    tr("Give all ops of the active tag to another tag, and remove it"));
    selectTag = make(tr("Select the ops of the tag"), {}, {}, tr("Select all ops of the active tag"));
    orderTags = make(tr("Order tags topologicall&y"), {}, {}, tr("Put the tags in an order in which no value runs backwards"));
    for (QAction* action : {protectTags, followForward, lockTag, hideTag})
        action->setCheckable(true);
}

} // namespace sunder
