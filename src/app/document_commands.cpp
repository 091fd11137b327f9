#include "app/document_commands.h"

#include "app/note_commands.h"
#include "app/tag_list_commands.h"
#include "document/runs/result_kinds.h"
#include "models/paint_menu.h"

namespace sunder {
namespace {

void connectSelecting(const Actions& actions, Document& document)
{
    QObject::connect(actions.selectAll, &QAction::triggered, &document, [&document] {
        if (document.isOpen())
            document.marks().select(document.graph().order());
    });
    QObject::connect(actions.clearSelection, &QAction::triggered, &document, [&document] { document.marks().clear(); });
}

void connectTagging(const Actions& actions, Document& document)
{
    const auto on = [&document](QAction* action, auto what) { QObject::connect(action, &QAction::triggered, &document, what); };
    const auto paintSelection = [&document](int tag) {
        const PaintedList selection = paintedSelection(document);
        document.painting().paintList(selection.nodes, tag, selection.what);
    };
    on(actions.paintSelection, [&document, paintSelection] {
        if (document.activeTag() >= 0)
            paintSelection(document.activeTag());
    });
    on(actions.eraseSelection, [paintSelection] { paintSelection(TagAssignment::kUntagged); });
    on(actions.fillIn, [&document] { document.painting().fillInUntagged(); });
    on(actions.fillInLate, [&document] { document.painting().fillInUntagged(FillIn::latest); });
    on(actions.eraseAll, [&document] {
        if (document.isOpen())
            document.painting().erase(document.graph().order());
    });
    on(actions.addTag, [&document] { document.tagList().add(); });
    on(actions.removeTag, [&document] { document.tagList().remove(document.activeTag()); });
    for (std::size_t i = 0; i < actions.activeTag.size(); ++i)
        on(actions.activeTag[i], [&document, i] { document.tagList().setActive(static_cast<int>(i)); });
}

} // namespace

void connectDocumentCommands(const Actions& actions, Document& document)
{
    connectSelecting(actions, document);
    connectTagging(actions, document);
    QObject::connect(actions.closeResult, &QAction::triggered, &document, [&document] {
        for (const ResultDescription& result : resultKinds())
            document.runs().hide(result.kind);
    });
}

void showWhatIsPossible(const Actions& actions, const Document& document)
{
    const bool open = document.isOpen();
    const bool anyNamed = !document.marks().selection().empty();
    const bool anySelected = !document.marks().selection().source.empty();
    for (QAction* action : {actions.openTags,    actions.save,         actions.saveAs,        actions.exportTags,
                            actions.bookmark,    actions.exportAll,    actions.close,         actions.selectAll,
                            actions.find,        actions.fit,          actions.zoomIn,        actions.zoomOut,
                            actions.openAll,     actions.foldAll,      actions.firstSight,    actions.up,
                            actions.largerBrush, actions.smallerBrush, actions.nextUntagged,  actions.fillIn,
                            actions.stages,      actions.eraseAll,     actions.fillInLate,    actions.straighten,
                            actions.addTag,      actions.showSide,     actions.showBottom,    actions.showRuns,
                            actions.showSteps,   actions.nextProblem,  actions.problemBefore, actions.repairAll,
                            actions.takeTags,    actions.showRules,    actions.showMatches,   actions.balance,
                            actions.runParts,    actions.support})
        action->setEnabled(open);
    for (QAction* action : actions.arrange)
        action->setEnabled(open);
    for (const PassAction& pass : actions.passes)
        pass.action->setEnabled(open);
    actions.otherProgram->setEnabled(open && !document.programName().isEmpty());
    actions.tools->setEnabled(open);
    for (QAction* action : actions.fillScopes)
        action->setEnabled(open);
    for (QAction* action :
         {actions.paintSelection, actions.eraseSelection, actions.selectEqual, actions.selectNeeded, actions.selectNeeding})
        action->setEnabled(open && anySelected);
    for (QAction* action : {actions.clearSelection, actions.copyNames, actions.copyPrinted})
        action->setEnabled(open && anyNamed);
    const SplitOutcomePtr cut = document.runs().shownSplit();
    actions.whyHere->setEnabled(open && anySelected && ((cut && cut->plan) || document.tagCount() > 1));
    actions.openOrClose->setEnabled(open);
    actions.goTo->setEnabled(open);
    actions.copyPicture->setEnabled(open);
    actions.actualSize->setEnabled(open);
    actions.zoomToSelection->setEnabled(open);
    actions.isolate->setEnabled(open);
    actions.paintSelection->setEnabled(open && anySelected && document.activeTag() >= 0);
    actions.renameTag->setEnabled(open && document.activeTag() >= 0);
    actions.removeTag->setEnabled(open && document.activeTag() >= 0);
    showNoteCommand(actions, document);
    showTagList(actions, document);
    actions.closeResult->setEnabled(!document.runs().allShown().empty());
}

} // namespace sunder
