#include "app/actions.h"

#include "app/pane_table.h"
#include "models/command_keys.h"
#include "models/themed_icon.h"
#include "text/shown_text.h"

#include <QWidget>

#include <algorithm>
#include <array>

namespace sunder {
namespace {

/// Returns the settings id of a command that has no explicit one: "Select &all" → "select-all".
QString idOf(const QString& text)
{
    return plainTitle(text).toLower().replace(QLatin1Char(' '), QLatin1Char('-'));
}

} // namespace

/// `id` keeps the settings of a command whose text has changed.
QAction* Actions::make(const QString& text, const QString& icon, const QKeySequence& key, const QString& tip, const QString& id)
{
    auto* action = icon.isEmpty() ? new QAction(text, m_parent) : new QAction(themedIcon(icon), text, m_parent);
    action->setObjectName(id.isEmpty() ? idOf(text) : id);
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
    openOrClose = make(tr("&Open or close"), {}, {}, tr("Open or close the focused module (Enter)"));
    goTo = make(tr("&Go to…"), {}, QKeySequence(Qt::CTRL | Qt::Key_G), tr("Find a module or node by a few letters of its name"));
    back = make(tr("&Back"), {}, QKeySequence(Qt::ALT | Qt::Key_Left),
                tr("Return to the previous selection, open modules, and view"));
    forward = make(tr("For&ward"), {}, QKeySequence(Qt::ALT | Qt::Key_Right), tr("Return to the view before Back"));
    selectEqual = make(tr("S&elect similar"), {}, {}, tr("Select all equal modules, or all ops that compute the same"),
                       QStringLiteral("select-equal-ones"));
    selectNeeded = make(tr("Select &upstream"), {}, {}, tr("Add all direct and indirect producers to the selection"),
                        QStringLiteral("select-all-that-it-needs"));
    selectNeeding = make(tr("Select &downstream"), {}, {}, tr("Add all direct and indirect consumers to the selection"),
                         QStringLiteral("select-all-that-need-it"));
    note = make(tr("Add n&ote…"), {}, QKeySequence(Qt::CTRL | Qt::ALT | Qt::Key_N),
                tr("Write the note of the selected op, one per op; it is saved in the project"),
                QStringLiteral("note-on-the-selection"));
    whyHere = make(tr("Why &here?"), {}, {},
                   tr("Explain why the partition shown, or the balance of the tags, places the selected op in its part"));
    copyNames = make(tr("&Copy name"), {}, QKeySequence::Copy, tr("Copy the names of the selected nodes"));
    copyNames->setShortcutContext(Qt::WidgetWithChildrenShortcut);
    m_parent->removeAction(copyNames);
    copyPicture = make(tr("Copy &picture"), {}, QKeySequence(Qt::CTRL | Qt::SHIFT | Qt::Key_C),
                       tr("Copy the visible area of the focused graph as a picture"));
    copyPrinted = make(tr("Copy as FX graph &text"), {}, {}, tr("Copy the selected nodes as str(graph) prints them"),
                       QStringLiteral("copy-as-torch-prints-it"));
    palette = make(tr("Co&mmands…"), {}, QKeySequence(Qt::CTRL | Qt::SHIFT | Qt::Key_P),
                   tr("Find a command by a few letters of its name"));
    settings = make(tr("&Settings…"), {}, QKeySequence(Qt::CTRL | Qt::Key_Comma),
                    tr("Set appearance, mouse wheel, shortcuts, and startup"));
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
             tr("Brush: paint ops and modules with the active tag; press on an edge to paint along edges"));
    makeTool(ToolKind::eraser, tr("&Eraser"), QStringLiteral("eraser"), Qt::Key_E, tr("Eraser: remove tags"));
    makeTool(ToolKind::rectangle, tr("&Rectangle"), QStringLiteral("rectangle"), Qt::Key_R,
             tr("Rectangle: paint everything inside with the active tag; Alt erases"));
    makeTool(ToolKind::lasso, tr("&Lasso"), QStringLiteral("lasso"), Qt::Key_L,
             tr("Lasso: paint everything inside the outline with the active tag; Alt erases"));
    makeTool(ToolKind::fill, tr("F&ill"), QStringLiteral("fill"), Qt::Key_G,
             tr("Fill: paint a module, a class, or the upstream of an op, for example, with the active tag; shows a preview"));
    makeTool(ToolKind::wand, tr("&Wand"), QStringLiteral("wand"), Qt::Key_W,
             tr("Wand: paint connected ops of the same kind with the active tag; shows a preview"));
    makeTool(ToolKind::eyedropper, tr("Eye&dropper"), QStringLiteral("eyedropper"), Qt::Key_I,
             tr("Eyedropper: make the clicked tag the active tag"));
    makeTool(ToolKind::pan, tr("&Hand"), QStringLiteral("pan"), Qt::Key_H, tr("Hand: move the graph; with any tool, hold Space"));
    tools->actions().front()->setChecked(true);
    static constexpr std::array kScopeIds{"module",      "class",       "operator", "shape", "all-it-needs", "all-that-needs-it",
                                          "between-two", "occurrences", "same-tag"};
    static_assert(kScopeIds.size() == kFillScopes.size() - 1);
    for (std::size_t i = 0; i < kScopeIds.size(); ++i)
        fillScopes.push_back(make(tr("Fill: %1").arg(text(kFillScopes[i].title)), {}, {}, text(kFillScopes[i].tip),
                                  QStringLiteral("fill:-") + QLatin1String(kScopeIds[i])));
    largerBrush = make(tr("Larger brush, wider fill"), {}, QKeySequence(Qt::Key_BracketRight));
    smallerBrush = make(tr("Smaller brush, narrower fill"), {}, QKeySequence(Qt::Key_BracketLeft));
}

Actions::Actions(QWidget* parent, Document& document) : QObject(parent), m_parent(parent)
{
    open = make(tr("&Open…"), QStringLiteral("open"), QKeySequence::Open, tr("Open a model or project: .pt2, .fxj, or .sunder"));
    otherProgram = make(tr("Open another &program…"), {}, {}, tr("Open another of the programs in this file"),
                        QStringLiteral("other-program"));
    save = make(tr("&Save"), QStringLiteral("save"), QKeySequence::Save, tr("Save the project: tags, devices, runs, views"));
    saveAs = make(tr("Save &as…"), {}, QKeySequence(Qt::CTRL | Qt::SHIFT | Qt::Key_S), tr("Save the project under another name"));
    openTags = make(tr("Import &tags from a file…"), QStringLiteral("tags"), {}, tr("Import the tags of a tags file or project"),
                    QStringLiteral("take-tags-from-a-file"));
    takeTags = make(tr("Import tags from another e&xport…"), {}, {},
                    tr("Import the tags of an earlier or later export; ops are matched by structure"),
                    QStringLiteral("take-tags-from-another-export"));
    exportTags = make(tr("Export ta&gs…"), {}, {}, tr("Write only the tags, as TAGS.json"));
    exportAll = make(tr("&Export…"), QStringLiteral("export"), QKeySequence(Qt::CTRL | Qt::Key_E),
                     tr("Export parts, the split graph, tags, or a picture"));
    close = make(tr("&Close"), {}, QKeySequence(Qt::CTRL | Qt::Key_W));
    quit = make(tr("&Quit"), {}, QKeySequence(Qt::CTRL | Qt::Key_Q));

    // QUndoStack's own actions would interpret "&" in step texts as mnemonics.
    undo = make(tr("Undo"), QStringLiteral("undo"), QKeySequence(Qt::CTRL | Qt::Key_Z));
    redo = make(tr("Redo"), QStringLiteral("redo"), QKeySequence(Qt::CTRL | Qt::SHIFT | Qt::Key_Z));
    redo->setShortcuts({QKeySequence(Qt::CTRL | Qt::SHIFT | Qt::Key_Z), QKeySequence(Qt::CTRL | Qt::Key_Y)});
    for (QAction* action : {undo, redo})
        action->setEnabled(false);
    QObject::connect(undo, &QAction::triggered, &document, &Document::undo);
    QObject::connect(redo, &QAction::triggered, &document, &Document::redo);
    const QUndoStack* steps = &document.steps();
    QObject::connect(steps, &QUndoStack::canUndoChanged, undo, &QAction::setEnabled);
    QObject::connect(steps, &QUndoStack::canRedoChanged, redo, &QAction::setEnabled);
    QObject::connect(steps, &QUndoStack::undoTextChanged, undo,
                     [undo = undo](const QString& step) { nameStep(*undo, tr("Undo"), step); });
    QObject::connect(steps, &QUndoStack::redoTextChanged, redo,
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
    actualSize = make(tr("&100%"), {}, QKeySequence(Qt::CTRL | Qt::Key_1), tr("Show the graph at its original size"));
    zoomToSelection = make(tr("Zoom to s&election"), {}, QKeySequence(Qt::SHIFT | Qt::Key_F),
                           tr("Zoom until the selection fills the pane"));
    isolate = make(tr("Isola&te selection"), {}, QKeySequence(Qt::CTRL | Qt::Key_I),
                   tr("Show only the selection and its neighbors; choose it again to show everything"));
    openAll = make(tr("Expand all &modules"), QStringLiteral("open-all"), QKeySequence(Qt::CTRL | Qt::SHIFT | Qt::Key_O),
                   tr("Expand all modules"), QStringLiteral("open-all-modules"));
    foldAll = make(tr("Co&llapse all modules"), QStringLiteral("fold-all"), QKeySequence(Qt::CTRL | Qt::SHIFT | Qt::Key_W),
                   tr("Collapse all modules"), QStringLiteral("fold-all-modules"));
    firstSight = make(tr("Reset vie&w"), QStringLiteral("first-sight"), QKeySequence(Qt::CTRL | Qt::SHIFT | Qt::Key_F),
                      tr("Restore the initial open modules and show the whole graph"),
                      QStringLiteral("back-to-the-first-picture"));
    oneColumn = make(tr("Si&ngle column"), {}, {}, tr("Do not wrap tall graphs into columns"), QStringLiteral("one-column"));
    oneColumn->setCheckable(true);
    showSequence = make(tr("Stage stri&p"), {}, {}, tr("Show the strip of stages and boundaries next to the source"),
                        QStringLiteral("the-cut-as-a-sequence"));
    showSequence->setCheckable(true);
    toTheRight = make(tr("Lay out left to &right"), {}, {}, tr("Draw graphs from left to right instead of top to bottom"),
                      QStringLiteral("flow-to-the-right"));
    toTheRight->setCheckable(true);
    showAssertions = make(
        tr("S&how assertions"), {}, {},
        tr("Draw assertions and ops with unused results; if off, they count as part of the op whose result they use"));
    showAssertions->setCheckable(true);
    wheelMoves = make(tr("&Scroll wheel pans"), {}, {}, tr("Pan with the wheel, zoom with Ctrl and the wheel"),
                      QStringLiteral("wheel-moves-the-picture"));
    wheelMoves->setCheckable(true);
    bookmark = make(tr("&Bookmark this view…"), {}, QKeySequence(Qt::CTRL | Qt::Key_B),
                    tr("Save the open modules and the view under a name"));
    for (std::size_t i = 0; i < toBookmark.size(); ++i)
        toBookmark[i] = make(tr("Bookmark %1").arg(i + 1), {},
                             QKeySequence(static_cast<int>(Qt::ALT) + static_cast<int>(Qt::Key_1) + static_cast<int>(i)));
    up = make(tr("&Up a level"), QStringLiteral("up"), {}, tr("Close the enclosing module (Backspace)"));

    makeTools();
    paintSelection = make(tr("&Paint selection"), {}, QKeySequence(Qt::Key_P), tr("Give the selection the active tag"));
    eraseSelection = make(tr("Erase selection"), {}, QKeySequence(Qt::Key_Delete), tr("Remove the tags of the selection"));
    nextUntagged = make(tr("&Next untagged op"), {}, QKeySequence(Qt::Key_N));
    fillInLate = make(tr("Fill &untagged ops (latest tag)"), {}, {},
                      tr("Give each untagged op the latest tag that its users allow"),
                      QStringLiteral("fill-in-untagged-ops-late"));
    straighten = make(tr("Make sta&ges contiguous…"), {}, {}, tr("Retag as few ops as possible so that stages follow each other"),
                      QStringLiteral("straighten-the-cut"));
    fillIn = make(tr("&Fill untagged ops (earliest tag)"), {}, QKeySequence(Qt::SHIFT | Qt::Key_N),
                  tr("Give each untagged op the earliest tag that its inputs allow"), QStringLiteral("fill-in-untagged-ops"));
    stages = make(tr("Tag au&tomatically…"), QStringLiteral("stages"), QKeySequence(Qt::CTRL | Qt::SHIFT | Qt::Key_T),
                  tr("Tag in equal stages, by modules, or fill untagged ops; shows a preview"));
    balance = make(tr("Balance…"), {}, {},
                   tr("Tag so that the slowest device is as fast as possible, with a bound on the optimum; shows a preview"));
    support = make(tr("Tag by support…"), {}, {},
                   tr("Tag by the operators that an accelerator supports, and see what to support next; shows a preview"));
    runParts = make(tr("Run parts in PyTorch…"), {}, {},
                    tr("Run the parts against the whole model in a Python with PyTorch, and measure their seconds and memory"),
                    QStringLiteral("run-parts"));
    eraseAll = make(tr("Erase all tags"), {}, {});
    nextProblem = make(tr("Next proble&m"), {}, QKeySequence(Qt::Key_F4), tr("Select the ops of the next problem"));
    problemBefore = make(tr("Previous problem"), {}, QKeySequence(Qt::SHIFT | Qt::Key_F4),
                         tr("Select the ops of the previous problem"), QStringLiteral("problem-before"));
    repairAll = make(tr("Fix all…"), {}, QKeySequence(Qt::CTRL | Qt::Key_F4),
                     tr("Find the cheapest fixes for all problems and review them first"), QStringLiteral("repair-all"));
    addTag = make(tr("&Add a tag"), QStringLiteral("add"), QKeySequence(Qt::CTRL | Qt::Key_T));
    renameTag = make(tr("Rena&me the active tag…"), {}, QKeySequence(Qt::Key_F2));
    removeTag = make(tr("Remove the active tag"), QStringLiteral("trash"), {});
    for (std::size_t i = 0; i < activeTag.size(); ++i)
        activeTag[i] = make(QObject::tr("Tag %1").arg(i + 1), {},
                            QKeySequence(static_cast<int>(Qt::Key_1) + static_cast<int>(i)));

    makeTagList();
    makePasses();
    customOperators = make(tr("Custo&m operators…"), {}, {},
                           tr("Load schemas of custom operators, so that more can be verified and deduplicated"));
    closeResult = make(tr("&Close result panes"), {}, {}, {}, QStringLiteral("close-the-results"));

    for (const Arrangement& arrangement : arrangements())
        arrange.push_back(make(arrangement.text, {}, arrangement.key, arrangement.tip, arrangement.id));
    showSide = make(tr("&Outline, tags, inspector"), {}, QKeySequence(Qt::Key_F9));
    showBottom = make(tr("Pro&blems, jobs, log"), {}, QKeySequence(Qt::Key_F10));
    showRuns = make(tr("&History of runs"), {}, QKeySequence(Qt::CTRL | Qt::Key_H), tr("Go to the history of runs"));
    showSteps = make(tr("History of s&teps"), QStringLiteral("history"), QKeySequence(Qt::CTRL | Qt::SHIFT | Qt::Key_H),
                     tr("Go to the list of undo steps"));
    showMatches = make(tr("Tag &matches"), {}, QKeySequence(Qt::CTRL | Qt::ALT | Qt::Key_M),
                       tr("Go to the matches between the ops and those of the export whose tags were imported"),
                       QStringLiteral("matches-of-another-export"));
    showRules = make(tr("Tag rules"), {}, QKeySequence(Qt::CTRL | Qt::ALT | Qt::Key_R),
                     tr("Go to the rules that tag ops by module, class, and operator"), QStringLiteral("rules-for-tags"));
    for (QAction* action : {showSide, showBottom}) {
        action->setCheckable(true);
        action->setChecked(true);
    }
    nextArea = make(tr("&Next pane or panel"), {}, QKeySequence(Qt::CTRL | Qt::Key_Tab), tr("Go to the next pane or panel"));
    previousArea = make(tr("Pre&vious pane or panel"), {}, QKeySequence(Qt::CTRL | Qt::SHIFT | Qt::Key_Tab),
                        tr("Go to the previous pane or panel"));
    resetLayout = make(tr("&Reset layout"), {}, {});
    tutorial = make(tr("&Tutorial"), {}, {}, tr("Split a sample model, step by step"));
    documentation = make(tr("&Documentation"), {}, {}, tr("All pages: how-to guides, reference, concepts"));
    reference = make(tr("&Command-line reference"), {}, {}, tr("Commands, options, and files of sunder-cli"));
    gestures = make(tr("Shortcuts and &gestures"), {}, QKeySequence(Qt::Key_F1), {}, QStringLiteral("keys-and-gestures"));
    legend = make(tr("&Legend of graphs"), {}, QKeySequence(Qt::SHIFT | Qt::Key_F1), tr("What marks and colors in graphs mean"));
    about = make(tr("&About Sunder"), {}, {});

    painting = {paintSelection, eraseSelection, fillIn};
    for (QAction* action : painting) {
        action->setShortcutContext(Qt::WidgetWithChildrenShortcut);
        parent->removeAction(action);
    }
}

} // namespace sunder

#include "moc_actions.cpp"
