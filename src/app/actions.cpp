#include "app/actions.h"

#include "app/pane_table.h"
#include "models/command_keys.h"
#include "models/themed_icon.h"
#include "text/shown_text.h"

#include <QWidget>

#include <algorithm>
#include <span>

namespace sunder {
namespace {

/// Returns the settings id of a command: "Open all &modules" → "open-all-modules".
QString idOf(const QString& text)
{
    return plainTitle(text).toLower().replace(QLatin1Char(' '), QLatin1Char('-'));
}

} // namespace

QAction* Actions::make(const QString& text, const QString& icon, const QKeySequence& key, const QString& tip)
{
    auto* action = icon.isEmpty() ? new QAction(text, m_parent) : new QAction(themedIcon(icon), text, m_parent);
    action->setObjectName(idOf(text));
    action->setShortcut(key);
    CommandKeys::setTip(*action, plainTitle(tip.isEmpty() ? text : tip));
    m_parent->addAction(action);
    return action;
}

void Actions::nameStep(QAction& action, const QString& verb, const QString& step)
{
    const QString whole = step.isEmpty() ? verb : QStringLiteral("%1 %2").arg(verb, visible(step));
    action.setText(caption(whole));
    CommandKeys::setTip(action, brief(whole));
}

void Actions::makePasses()
{
    for (const Pass& pass : sunder::passes()) {
        QAction* action = make(pass.text, pass.icon, pass.keys.value(0), pass.tip);
        action->setShortcuts(pass.keys);
        action->setObjectName(pass.id);
        passes.push_back({&pass, action});
        if (pass.asking != PassAsking::menu)
            continue;
        for (const PassOption& option : pass.options) {
            QAction* flag = make(option.title, {}, {}, option.tip);
            flag->setCheckable(true);
            flag->setObjectName(pass.id + QLatin1Char('-') + option.id);
            passSwitches.push_back({&pass, option.id, flag});
        }
    }
}

QAction* Actions::pass(const QString& id) const
{
    return std::ranges::find(passes, findPass(id), &PassAction::pass)->action;
}

QAction* Actions::passSwitch(const QString& pass, const QString& option) const
{
    const auto at = std::ranges::find_if(passSwitches,
                                         [&](const PassSwitch& one) { return one.pass->id == pass && one.option == option; });
    return at->action;
}

PassOptions Actions::switchedOn(const Pass& pass) const
{
    PassOptions options;
    for (const PassSwitch& option : passSwitches)
        if (option.pass == &pass && option.action->isChecked())
            options.insert(option.option, true);
    return options;
}

void Actions::makeGoing()
{
    openOrClose = make(tr("&Open or close"), {}, {}, tr("Open or close the module that has the focus (Enter)"));
    goTo = make(tr("&Go to…"), {}, QKeySequence(Qt::CTRL | Qt::Key_G),
                tr("Go to a module or a node by some letters of its name"));
    back = make(tr("&Back"), {}, QKeySequence(Qt::ALT | Qt::Key_Left),
                tr("Go back to where one was: what was selected, open and in sight"));
    forward = make(tr("For&ward"), {}, QKeySequence(Qt::ALT | Qt::Key_Right), tr("Go forward again"));
    selectEqual = make(tr("Select &equal ones"), {}, {}, tr("Select all modules that are equal, or all ops that do the same"));
    selectNeeded = make(tr("Select all that it &needs"), {}, {}, tr("Select also all that the selection needs"));
    selectNeeding = make(tr("Select all that nee&d it"), {}, {}, tr("Select also all that needs the selection"));
    note = make(tr("N&ote on the selection…"), {}, QKeySequence(Qt::CTRL | Qt::ALT | Qt::Key_N),
                tr("Write a note beside the selected op; the project keeps it"));
    whyHere = make(tr("Why &here?"), {}, {}, tr("Say why the partition that is shown puts the selected op where it is"));
    copyNames = make(tr("&Copy name"), {}, QKeySequence::Copy, tr("Copy the names of the selected nodes"));
    copyNames->setShortcutContext(Qt::WidgetWithChildrenShortcut);
    m_parent->removeAction(copyNames);
    copyPicture = make(tr("Copy &picture"), {}, QKeySequence(Qt::CTRL | Qt::SHIFT | Qt::Key_C),
                       tr("Put what is seen of the graph in front into the clipboard, as a picture"));
    copyPrinted = make(tr("Copy as &torch prints it"), {}, {}, tr("Copy the selected nodes as str(graph) prints them"));
    palette = make(tr("Co&mmands…"), {}, QKeySequence(Qt::CTRL | Qt::SHIFT | Qt::Key_P),
                   tr("All commands by some letters of their names"));
    settings = make(tr("&Settings…"), {}, QKeySequence(Qt::CTRL | Qt::Key_Comma),
                    tr("How the window looks, what the wheel and the keys do, what is open at start"));
}

void Actions::makeTool(ToolKind kind, const QString& text, const QString& icon, Qt::Key key, const QString& tip)
{
    QAction* action = make(text, icon, QKeySequence(key), tip);
    action->setCheckable(true);
    tools->addAction(action);
    tool[static_cast<std::size_t>(kind)] = action;
}

void Actions::makeTools()
{
    tools = new QActionGroup(m_parent);
    makeTool(ToolKind::select, tr("&Select"), QStringLiteral("select"), Qt::Key_V, tr("Select: click ops and modules"));
    makeTool(ToolKind::brush, tr("&Brush"), QStringLiteral("brush"), Qt::Key_B,
             tr("Brush: paint ops and modules with the active tag; from an edge on, what edges join"));
    makeTool(ToolKind::eraser, tr("&Eraser"), QStringLiteral("eraser"), Qt::Key_E, tr("Eraser: take tags away"));
    makeTool(ToolKind::rectangle, tr("&Rectangle"), QStringLiteral("rectangle"), Qt::Key_R,
             tr("Rectangle: paint all in it with the active tag; Alt erases"));
    makeTool(ToolKind::lasso, tr("&Lasso"), QStringLiteral("lasso"), Qt::Key_L,
             tr("Lasso: paint all that a line encloses with the active tag; Alt erases"));
    makeTool(ToolKind::fill, tr("F&ill"), QStringLiteral("fill"), Qt::Key_G,
             tr("Fill: paint a module, a class, all that an op needs … with the active tag, previewed"));
    makeTool(ToolKind::wand, tr("&Wand"), QStringLiteral("wand"), Qt::Key_W,
             tr("Wand: paint what hangs together and is alike with the active tag, previewed"));
    makeTool(ToolKind::eyedropper, tr("Eye&dropper"), QStringLiteral("eyedropper"), Qt::Key_I,
             tr("Eyedropper: make the tag that one clicks the active one"));
    makeTool(ToolKind::pan, tr("&Hand"), QStringLiteral("pan"), Qt::Key_H,
             tr("Hand: move the graph; holding Space does so in any tool"));
    tools->actions().front()->setChecked(true);
    for (const FillScopeWords& words : std::span(kFillScopes).first(kFillScopes.size() - 1))
        fillScopes.push_back(make(tr("Fill: %1").arg(text(words.title)), {}, {}, text(words.tip)));
    largerBrush = make(tr("Larger brush, wider fill"), {}, QKeySequence(Qt::Key_BracketRight));
    smallerBrush = make(tr("Smaller brush, narrower fill"), {}, QKeySequence(Qt::Key_BracketLeft));
}

Actions::Actions(QWidget* parent, QUndoStack& undoStack) : m_parent(parent)
{
    open = make(tr("&Open…"), QStringLiteral("open"), QKeySequence::Open, tr("Open a model or a project: .pt2, .fxj or .sunder"));
    otherProgram = make(tr("Other &program…"), {}, {}, tr("Open another program of this file"));
    save = make(tr("&Save"), QStringLiteral("save"), QKeySequence::Save, tr("Save the project: tags, devices, runs, views"));
    saveAs = make(tr("Save &as…"), {}, QKeySequence(Qt::CTRL | Qt::SHIFT | Qt::Key_S), tr("Save the project under another name"));
    openTags = make(tr("Take &tags from a file…"), QStringLiteral("tags"), {},
                    tr("Take over the tags of a tags file or a project"));
    takeTags = make(tr("Take tags from another e&xport…"), {}, {},
                    tr("Take over the tags of a model or project that was exported at another time, by what its ops are"));
    exportTags = make(tr("Export ta&gs…"), {}, {}, tr("Write the tags alone, for others: TAGS.json"));
    exportAll = make(tr("&Export…"), QStringLiteral("export"), QKeySequence(Qt::CTRL | Qt::Key_E),
                     tr("Export parts, split graph, tags or a picture"));
    close = make(tr("&Close"), {}, QKeySequence(Qt::CTRL | Qt::Key_W));
    quit = make(tr("&Quit"), {}, QKeySequence(Qt::CTRL | Qt::Key_Q));

    // QUndoStack's own actions would interpret "&" in step texts as mnemonics.
    undo = make(tr("Undo"), QStringLiteral("undo"), QKeySequence(Qt::CTRL | Qt::Key_Z));
    redo = make(tr("Redo"), QStringLiteral("redo"), QKeySequence(Qt::CTRL | Qt::SHIFT | Qt::Key_Z));
    redo->setShortcuts({QKeySequence(Qt::CTRL | Qt::SHIFT | Qt::Key_Z), QKeySequence(Qt::CTRL | Qt::Key_Y)});
    for (QAction* action : {undo, redo})
        action->setEnabled(false);
    QObject::connect(undo, &QAction::triggered, &undoStack, &QUndoStack::undo);
    QObject::connect(redo, &QAction::triggered, &undoStack, &QUndoStack::redo);
    QObject::connect(&undoStack, &QUndoStack::canUndoChanged, undo, &QAction::setEnabled);
    QObject::connect(&undoStack, &QUndoStack::canRedoChanged, redo, &QAction::setEnabled);
    QObject::connect(&undoStack, &QUndoStack::undoTextChanged, undo,
                     [undo = undo](const QString& step) { nameStep(*undo, tr("Undo"), step); });
    QObject::connect(&undoStack, &QUndoStack::redoTextChanged, redo,
                     [redo = redo](const QString& step) { nameStep(*redo, tr("Redo"), step); });
    selectAll = make(tr("Select &all"), {}, QKeySequence::SelectAll);
    clearSelection = make(tr("C&lear selection"), {}, {}, tr("Clear the selection (Esc)"));
    find = make(tr("&Find…"), QStringLiteral("search"), QKeySequence::Find);
    makeGoing();

    fit = make(tr("&Fit"), QStringLiteral("fit"), QKeySequence(Qt::Key_F), tr("Show the whole graph"));
    fit->setShortcuts({QKeySequence(Qt::Key_F), QKeySequence(Qt::CTRL | Qt::Key_0)});
    zoomIn = make(tr("Zoom &in"), {}, QKeySequence(Qt::CTRL | Qt::Key_Plus));
    zoomIn->setShortcuts({QKeySequence(Qt::CTRL | Qt::Key_Plus), QKeySequence(Qt::CTRL | Qt::Key_Equal)});
    zoomOut = make(tr("Zoom &out"), {}, QKeySequence(Qt::CTRL | Qt::Key_Minus));
    actualSize = make(tr("&100 %"), {}, QKeySequence(Qt::CTRL | Qt::Key_1), tr("Show the graph at its own size"));
    zoomToSelection = make(tr("Zoom to s&election"), {}, QKeySequence(Qt::SHIFT | Qt::Key_F),
                           tr("Show what is selected as large as it fits"));
    isolate = make(tr("Isola&te selection"), {}, QKeySequence(Qt::CTRL | Qt::Key_I),
                   tr("Show only the selection and its neighbors; again: everything as it was"));
    openAll = make(tr("Open all &modules"), QStringLiteral("open-all"), QKeySequence(Qt::CTRL | Qt::SHIFT | Qt::Key_O));
    foldAll = make(tr("Fo&ld all modules"), QStringLiteral("fold-all"), QKeySequence(Qt::CTRL | Qt::SHIFT | Qt::Key_W),
                   tr("Fold all modules"));
    firstSight = make(tr("Bac&k to the first picture"), QStringLiteral("first-sight"),
                      QKeySequence(Qt::CTRL | Qt::SHIFT | Qt::Key_F), tr("Open what was open at first, and show all of it"));
    oneColumn = make(tr("One colum&n"), {}, {}, tr("Do not set high graphs in columns"));
    oneColumn->setCheckable(true);
    showSequence = make(tr("The cut as a se&quence"), {}, {}, tr("Show the strip of stages and their borders beside the source"));
    showSequence->setCheckable(true);
    toTheRight = make(tr("Flow to the &right"), {}, {}, tr("Draw graphs from the left to the right instead of downwards"));
    toTheRight->setCheckable(true);
    showAssertions = make(tr("S&how assertions"), {}, {},
                          tr("Draw assertions, and ops whose results nobody uses; else they go with what they look at"));
    showAssertions->setCheckable(true);
    wheelMoves = make(tr("&Wheel moves the picture"), {}, {}, tr("Turning the wheel moves the picture, and zooms with Ctrl"));
    wheelMoves->setCheckable(true);
    bookmark = make(tr("&Bookmark this view…"), {}, QKeySequence(Qt::CTRL | Qt::Key_B),
                    tr("Give what is open and in sight a name, to come back to it"));
    for (std::size_t i = 0; i < toBookmark.size(); ++i)
        toBookmark[i] = make(tr("Bookmark %1").arg(i + 1), {},
                             QKeySequence(static_cast<int>(Qt::ALT) + static_cast<int>(Qt::Key_1) + static_cast<int>(i)));
    up = make(tr("&Up a level"), QStringLiteral("up"), {}, tr("Close the module around (Backspace)"));

    makeTools();
    paintSelection = make(tr("&Paint selection"), {}, QKeySequence(Qt::Key_P), tr("Give the selection the active tag"));
    eraseSelection = make(tr("Erase selection"), {}, QKeySequence(Qt::Key_Delete), tr("Take the selection's tags away"));
    nextUntagged = make(tr("&Next untagged op"), {}, QKeySequence(Qt::Key_N));
    fillInLate = make(tr("Fill in &untagged ops late"), {}, {},
                      tr("Give each untagged op the latest tag that those who read it allow"));
    straighten = make(tr("Strai&ghten the cut…"), {}, {}, tr("Make stages follow each other, with as few changes as can be"));
    fillIn = make(tr("&Fill in untagged ops"), {}, QKeySequence(Qt::SHIFT | Qt::Key_N),
                  tr("Give each untagged op the earliest tag that its inputs allow"));
    stages = make(tr("Tag au&tomatically…"), QStringLiteral("stages"), QKeySequence(Qt::CTRL | Qt::SHIFT | Qt::Key_T),
                  tr("Tag in equal stages, by modules, or fill in what is untagged; seen before it is done"));
    eraseAll = make(tr("Erase all tags"), {}, {});
    nextProblem = make(tr("Next proble&m"), {}, QKeySequence(Qt::Key_F4), tr("Select what the next problem is about"));
    problemBefore = make(tr("Problem before"), {}, QKeySequence(Qt::SHIFT | Qt::Key_F4),
                         tr("Select what the problem before is about"));
    repairAll = make(tr("Repair all…"), {}, QKeySequence(Qt::CTRL | Qt::Key_F4),
                     tr("Find the cheapest repairs of all problems, and ask before they are made"));
    addTag = make(tr("&Add a tag"), QStringLiteral("add"), QKeySequence(Qt::CTRL | Qt::Key_T));
    renameTag = make(tr("Rena&me the active tag…"), {}, QKeySequence(Qt::Key_F2));
    removeTag = make(tr("Remove the active tag"), QStringLiteral("trash"), {});
    for (std::size_t i = 0; i < activeTag.size(); ++i)
        activeTag[i] = make(QObject::tr("Tag %1").arg(i + 1), {},
                            QKeySequence(static_cast<int>(Qt::Key_1) + static_cast<int>(i)));

    makeTagList();
    makePasses();
    customOperators = make(tr("Custo&m operators…"), {}, {},
                           tr("Give the schemas of operators that PyTorch does not have, so that more can be proven"));
    closeResult = make(tr("&Close the results"), {}, {});

    for (const Arrangement& arrangement : arrangements())
        arrange.push_back(make(arrangement.text, {}, arrangement.key, arrangement.tip));
    showSide = make(tr("&Outline, tags, inspector"), {}, QKeySequence(Qt::Key_F9));
    showBottom = make(tr("Pro&blems, jobs, log"), {}, QKeySequence(Qt::Key_F10));
    showRuns = make(tr("&History of runs"), {}, QKeySequence(Qt::CTRL | Qt::Key_H), tr("Go to the history of runs"));
    showSteps = make(tr("History of s&teps"), QStringLiteral("history"), QKeySequence(Qt::CTRL | Qt::SHIFT | Qt::Key_H),
                     tr("Go to the list of all steps that can be undone"));
    showMatches = make(tr("&Matches of another export"), {}, QKeySequence(Qt::CTRL | Qt::ALT | Qt::Key_M),
                       tr("Go to what the ops were in the export whose tags were taken over"));
    showRules = make(tr("Rules for tags"), {}, QKeySequence(Qt::CTRL | Qt::ALT | Qt::Key_R),
                     tr("Go to the rules that give tags by module, class and operator"));
    for (QAction* action : {showSide, showBottom}) {
        action->setCheckable(true);
        action->setChecked(true);
    }
    nextArea = make(tr("&Next pane or panel"), {}, QKeySequence(Qt::CTRL | Qt::Key_Tab), tr("Go to the next pane or panel"));
    previousArea = make(tr("Pre&vious pane or panel"), {}, QKeySequence(Qt::CTRL | Qt::SHIFT | Qt::Key_Tab),
                        tr("Go to the pane or panel before"));
    resetLayout = make(tr("&Reset layout"), {}, {});
    tutorial = make(tr("&Tutorial"), {}, {}, tr("Split a sample model, step by step"));
    documentation = make(tr("&Documentation"), {}, {}, tr("All pages: how-to guides, reference, concepts"));
    reference = make(tr("&Command-line reference"), {}, {}, tr("Commands, options, and files of sunder-cli"));
    gestures = make(tr("&Keys and gestures"), {}, QKeySequence(Qt::Key_F1));
    legend = make(tr("&Legend of graphs"), {}, QKeySequence(Qt::SHIFT | Qt::Key_F1), tr("What marks and colors in graphs mean"));
    about = make(tr("&About Sunder"), {}, {});

    painting = {paintSelection, eraseSelection, fillIn};
    for (QAction* action : painting) {
        action->setShortcutContext(Qt::WidgetWithChildrenShortcut);
        parent->removeAction(action);
    }
}

} // namespace sunder
