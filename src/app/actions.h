#pragma once

#include "analysis/fill/fill_scope.h"
#include "canvas/canvas_types.h"
#include "document/passes/pass.h"

#include <QAction>
#include <QActionGroup>
#include <QUndoStack>

#include <array>
#include <vector>

class QWidget;

namespace sunder {

/// The command that runs a pass.
struct PassAction {
    const Pass* pass;
    QAction* action;
};

/// A flag of a pass in the menu, checkable: for its runs from now on.
struct PassSwitch {
    const Pass* pass;
    QString option; ///< its id
    QAction* action;
};

/// Every command of the window, with text, icon, shortcut and tooltip; the window connects them.
struct Actions {
    /// Made as children of `parent`, which also owns their shortcuts.
    Actions(QWidget* parent, QUndoStack& undoStack);

    QAction* open;
    QAction* otherProgram;
    QAction* save;
    QAction* saveAs;
    QAction* openTags;
    QAction* takeTags;
    QAction* exportTags;
    QAction* exportAll;
    QAction* close;
    QAction* quit;

    QAction* undo;
    QAction* redo;
    QAction* selectAll;
    QAction* clearSelection;
    QAction* find;
    QAction* goTo;
    QAction* openOrClose;
    QAction* back;
    QAction* forward;
    QAction* selectEqual;
    QAction* selectNeeded;
    QAction* selectNeeding;
    QAction* whyHere; ///< of the partition that is shown
    QAction* copyNames; ///< its key holds only in widgets that it is added to
    QAction* copyPicture;
    QAction* copyPrinted;
    QAction* note;
    QAction* palette;
    QAction* settings;

    QAction* fit;
    QAction* zoomIn;
    QAction* zoomOut;
    QAction* actualSize;
    QAction* zoomToSelection;
    QAction* isolate;
    QAction* openAll;
    QAction* foldAll;
    QAction* firstSight;
    QAction* oneColumn; ///< checkable
    QAction* toTheRight; ///< checkable
    QAction* showAssertions; ///< checkable
    QAction* wheelMoves; ///< checkable
    QAction* showSequence; ///< checkable: the strip beside the source
    QAction* up;
    QAction* bookmark;
    std::array<QAction*, 9> toBookmark;

    QActionGroup* tools;
    std::array<QAction*, kToolCount> tool; ///< by ToolKind
    std::vector<QAction*> fillScopes; ///< by kFillScopes, without the wand's
    QAction* largerBrush;
    QAction* smallerBrush;
    QAction* paintSelection;
    QAction* eraseSelection;
    QAction* nextUntagged;
    QAction* fillIn;
    QAction* fillInLate;
    QAction* straighten;
    /// Painting and erasing the selection, and filling in. Their keys are single and change tags: they hold only in
    /// widgets that these are added to.
    std::array<QAction*, 3> painting;
    QAction* stages;
    QAction* eraseAll;
    QAction* nextProblem;
    QAction* problemBefore;
    QAction* repairAll;
    QAction* addTag;
    QAction* renameTag;
    QAction* removeTag;
    std::array<QAction*, 9> activeTag;
    QAction* chooseTag;   ///< by some letters of its name
    QAction* protectTags; ///< checkable
    QAction* followForward; ///< checkable; of models with a backward pass
    QAction* moveTagUp;   ///< this and the next: of the active tag
    QAction* moveTagDown;
    QAction* tagCode;
    QAction* lockTag; ///< checkable
    QAction* hideTag; ///< checkable
    QAction* soloTag;
    QAction* showAllTags;
    QAction* mergeTag;
    QAction* selectTag;
    QAction* orderTags;

    std::vector<PassAction> passes;         ///< one a pass, in the order of the menu
    std::vector<PassSwitch> passSwitches;   ///< flags of passes that are set in the menu
    /// The action of the pass with this id, which has to be there.
    [[nodiscard]] QAction* pass(const QString& id) const;
    [[nodiscard]] QAction* passSwitch(const QString& pass, const QString& option) const;
    /// The options of a pass as its switches stand.
    [[nodiscard]] PassOptions switchedOn(const Pass& pass) const;
    QAction* customOperators;
    QAction* closeResult;

    std::vector<QAction*> arrange; ///< by arrangements()
    QAction* showSide;
    QAction* showBottom;
    QAction* showRuns;
    QAction* showSteps;
    QAction* showMatches;
    QAction* showRules;
    QAction* nextArea;
    QAction* previousArea;
    QAction* resetLayout;
    QAction* tutorial;
    QAction* documentation;
    QAction* reference;
    QAction* gestures;
    QAction* legend;
    QAction* about;

private:
    QAction* make(const QString& text, const QString& icon, const QKeySequence& key, const QString& tip = {});
    void makeGoing();
    void makeTagList();
    void makePasses();
    void makeTools();
    void makeTool(ToolKind kind, const QString& text, const QString& icon, Qt::Key key, const QString& tip);
    static void nameStep(QAction& action, const QString& verb, const QString& step);
    QWidget* m_parent;
};

} // namespace sunder
