#pragma once

#include "canvas/canvas_types.h"

#include <QAction>
#include <QActionGroup>
#include <QUndoStack>

#include <array>

class QWidget;

namespace sunder {

/// Every command of the window, with text, icon, shortcut and tooltip; the window connects them.
struct Actions {
    /// Made as children of `parent`, which also owns their shortcuts.
    Actions(QWidget* parent, QUndoStack& undoStack);

    QAction* open;
    QAction* otherProgram;
    QAction* openTags;
    QAction* saveTags;
    QAction* saveTagsAs;
    QAction* exportAll;
    QAction* close;
    QAction* quit;

    QAction* undo;
    QAction* redo;
    QAction* selectAll;
    QAction* clearSelection;
    QAction* find;

    QAction* fit;
    QAction* zoomIn;
    QAction* zoomOut;
    QAction* openAll;
    QAction* foldAll;
    QAction* up;

    QActionGroup* tools;
    std::array<QAction*, 5> tool; ///< by ToolKind
    QAction* largerBrush;
    QAction* smallerBrush;
    QAction* paintSelection;
    QAction* eraseSelection;
    QAction* nextUntagged;
    QAction* fillIn;
    /// Painting and erasing the selection, and filling in. Their keys are single and change tags: they hold only in
    /// widgets that these are added to.
    std::array<QAction*, 3> painting;
    QAction* stages;
    QAction* eraseAll;
    QAction* addTag;
    QAction* renameTag;
    QAction* removeTag;
    std::array<QAction*, 9> activeTag;

    QAction* split;
    QAction* keepSignature; ///< checkable, as is the next one: for splits from now on
    QAction* returnTuple;
    QAction* partition;
    QAction* unflatten;
    QAction* findRegions;
    QAction* deduplicate;
    QAction* customOperators;
    QAction* closeResult;

    std::array<QAction*, 4> arrange; ///< by Arrangement
    QAction* showSide;
    QAction* showBottom;
    QAction* showRuns;
    QAction* nextArea;
    QAction* previousArea;
    QAction* resetLayout;
    QAction* gestures;
    QAction* about;

private:
    QAction* make(const QString& text, const QString& icon, const QKeySequence& key, const QString& tip = {});
    static void nameStep(QAction& action, const QString& verb, const QString& step);
    QWidget* m_parent;
};

} // namespace sunder
