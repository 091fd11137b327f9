#pragma once

#include "analysis/fill/fill_scope.h"
#include "canvas/canvas_types.h"
#include "document/passes/pass.h"

#include <QAction>
#include <QActionGroup>

#include <array>
#include <vector>

class QWidget;

namespace sunder {

/// Command that runs a pass.
struct PassAction {
    const Pass* pass;
    QAction* action;
};

/// Checkable menu entry for a flag of a pass; applies to its later runs.
struct PassSwitch {
    const Pass* pass;
    QString option; ///< id of the option
    QAction* action;
};

/// All commands of the window, with text, icon, shortcut, and tooltip. The window connects them.
struct Actions final : public QObject {
    Q_OBJECT

public:
    /// Creates the actions as children of `parent`, which also owns their shortcuts.
    Actions(QWidget* parent, Document& document);

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
    QAction* whyHere; ///< for the shown partition, or else for the tags
    QAction* copyNames; ///< its shortcut works only in widgets that it is added to
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
    QAction* showSequence; ///< checkable: the strip next to the source
    QAction* up;
    QAction* bookmark;
    std::array<QAction*, 9> toBookmark;

    QActionGroup* tools;
    std::array<QAction*, kToolCount> tool; ///< by ToolKind
    std::vector<QAction*> fillScopes; ///< in the order of kFillScopes, without the wand's scopes
    QAction* largerBrush;
    QAction* smallerBrush;
    QAction* paintSelection;
    QAction* eraseSelection;
    QAction* nextUntagged;
    QAction* fillIn;
    QAction* fillInLate;
    QAction* straighten;
    /// Paint selection, erase selection, and fill in. Their single-key shortcuts change tags, so they work only in widgets that
    /// the actions are added to.
    std::array<QAction*, 3> painting;
    QAction* stages;
    QAction* balance;
    QAction* support;
    QAction* runParts;
    QAction* eraseAll;
    QAction* nextProblem;
    QAction* problemBefore;
    QAction* repairAll;
    QAction* addTag;
    QAction* renameTag;
    QAction* removeTag;
    std::array<QAction*, 9> activeTag;
    QAction* chooseTag; ///< search by letters of its name
    QAction* protectTags; ///< checkable
    QAction* followForward; ///< checkable; for models with a backward pass
    QAction* moveTagUp; ///< this and the next: for the active tag
    QAction* moveTagDown;
    QAction* tagCode;
    QAction* lockTag; ///< checkable
    QAction* hideTag; ///< checkable
    QAction* soloTag;
    QAction* showAllTags;
    QAction* mergeTag;
    QAction* selectTag;
    QAction* orderTags;

    std::vector<PassAction> passes; ///< one per pass, in menu order
    std::vector<PassSwitch> passSwitches; ///< pass flags in the menu
    /// Returns the action of the pass with this id, which must exist.
    [[nodiscard]] QAction* pass(const QString& id) const;
    [[nodiscard]] QAction* passSwitch(const QString& pass, const QString& option) const;
    /// Returns the options of a pass that are checked in the menu.
    [[nodiscard]] PassOptions switchedOn(const Pass& pass) const;
    QAction* customOperators;
    QAction* closeResult;

    std::vector<QAction*> arrange; ///< in the order of arrangements()
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
    QAction* make(const QString& text, const QString& icon, const QKeySequence& key, const QString& tip = {},
                  const QString& id = {});
    void makeGoing();
    void makeTagList();
    void makePasses();
    void makeTools();
    void makeTool(ToolKind kind, const QString& text, const QString& icon, Qt::Key key, const QString& tip);
    static void nameStep(QAction& action, const QString& verb, const QString& step);
    QWidget* m_parent;
};

} // namespace sunder
