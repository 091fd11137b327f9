#include "app/menus.h"

#include "app/recent_models.h"
#include "app/samples.h"
#include "document/text.h"

#include <QActionGroup>
#include <QDir>
#include <QFileInfo>
#include <QMenuBar>
#include <QSettings>

namespace sunder {
namespace {

void fillRecentMenu(QMenu& menu, const OpenModel& open)
{
    menu.clear();
    const QStringList recent = recentModels();
    QStringList names;
    for (const QString& path : recent)
        names << QFileInfo(path).fileName();
    for (qsizetype i = 0; i < recent.size(); ++i) {
        const QString& path = recent[i];
        // Distinguish equal names by their folders.
        const QString folder = QDir::toNativeSeparators(QFileInfo(path).path());
        const QString title = names.count(names[i]) > 1 ? QObject::tr("%1 in %2").arg(names[i], folder) : names[i];
        menu.addAction(caption(visible(title)), &menu, [open, path] { open(path); })->setToolTip(folded(visible(path)));
    }
    menu.setToolTipsVisible(true);
    if (menu.isEmpty())
        menu.addAction(QObject::tr("No recent files"))->setEnabled(false);
}

void addFileMenu(QMenuBar& bar, const Actions& actions, const OpenModel& open)
{
    QMenu* file = bar.addMenu(QObject::tr("&File"));
    file->addAction(actions.open);
    QMenu* recent = file->addMenu(QObject::tr("Open &recent"));
    QObject::connect(recent, &QMenu::aboutToShow, recent, [recent, open] { fillRecentMenu(*recent, open); });
    QMenu* samples = file->addMenu(QObject::tr("Open sa&mple"));
    for (const Sample& sample : sampleModels())
        samples->addAction(sample.title, samples, [open, path = sample.path] { open(path); });
    samples->setEnabled(!samples->isEmpty());
    file->addAction(actions.otherProgram);
    file->addSeparator();
    file->addActions({actions.save, actions.saveAs});
    file->addSeparator();
    file->addActions({actions.openTags, actions.takeTags, actions.exportTags});
    file->addSeparator();
    file->addActions({actions.exportAll});
    file->addSeparator();
    file->addActions({actions.close, actions.quit});
}

void addEditMenu(QMenuBar& bar, const Actions& actions)
{
    QMenu* edit = bar.addMenu(QObject::tr("&Edit"));
    edit->addActions({actions.undo, actions.redo});
    edit->addSeparator();
    edit->addActions(
        {actions.selectAll, actions.clearSelection, actions.selectEqual, actions.selectNeeded, actions.selectNeeding});
    edit->addSeparator();
    edit->addActions({actions.copyNames, actions.copyPrinted, actions.copyPicture, actions.note});
    edit->addSeparator();
    edit->addActions({actions.find, actions.goTo, actions.back, actions.forward, actions.palette});
    edit->addSeparator();
    edit->addAction(actions.settings);
}

void fillAppearanceMenu(QMenu& menu, Preferences& preferences)
{
    auto* group = new QActionGroup(&menu);
    const std::pair<QString, Appearance::Mode> modes[] = {{QObject::tr("&Follow system"), Appearance::Mode::system},
                                                          {QObject::tr("&Light"), Appearance::Mode::light},
                                                          {QObject::tr("&Dark"), Appearance::Mode::dark}};
    for (const auto& [title, mode] : modes) {
        QAction* action = menu.addAction(title, &menu, [&preferences, mode = mode] { preferences.setAppearance(mode); });
        action->setCheckable(true);
        const auto show = [action, &preferences, mode = mode] { action->setChecked(preferences.appearance() == mode); };
        QObject::connect(&preferences, &Preferences::changed, action, show);
        group->addAction(action);
        show();
    }
}

void addViewMenu(QMenuBar& bar, const Actions& actions, Preferences& preferences, QMenu& bookmarks)
{
    QMenu* view = bar.addMenu(QObject::tr("&View"));
    view->addActions(
        {actions.fit, actions.zoomIn, actions.zoomOut, actions.actualSize, actions.zoomToSelection, actions.isolate});
    view->addSeparator();
    view->addActions({actions.openAll, actions.foldAll, actions.firstSight, actions.up, actions.oneColumn, actions.toTheRight,
                      actions.showAssertions, actions.wheelMoves, actions.showSequence});
    view->addSeparator();
    view->addMenu(&bookmarks);
    view->addSeparator();
    fillAppearanceMenu(*view->addMenu(QObject::tr("&Appearance")), preferences);
}

void addPaintMenu(QMenuBar& bar, const Actions& actions)
{
    QMenu* paint = bar.addMenu(QObject::tr("&Paint"));
    paint->addActions(actions.tools->actions());
    paint->addActions({actions.largerBrush, actions.smallerBrush});
    QMenu* scopes = paint->addMenu(QObject::tr("Fill scopes"));
    scopes->addActions(QList<QAction*>(actions.fillScopes.begin(), actions.fillScopes.end()));
    scopes->setToolTipsVisible(true);
    paint->addSeparator();
    paint->addActions({actions.paintSelection, actions.eraseSelection});
    paint->addSeparator();
    paint->addActions({actions.nextUntagged, actions.fillIn, actions.fillInLate, actions.stages, actions.balance, actions.support,
                       actions.showRules, actions.straighten, actions.eraseAll});
    paint->addSeparator();
    paint->addActions({actions.chooseTag, actions.protectTags, actions.followForward, actions.addTag});
    QMenu* tag = paint->addMenu(QObject::tr("Acti&ve tag"));
    tag->addActions({actions.renameTag, actions.tagCode, actions.moveTagUp, actions.moveTagDown});
    tag->addSeparator();
    tag->addActions({actions.lockTag, actions.hideTag, actions.soloTag});
    tag->addSeparator();
    tag->addActions({actions.selectTag, actions.mergeTag, actions.removeTag});
    paint->addActions({actions.showAllTags, actions.orderTags});
    paint->addSeparator();
    paint->addActions({actions.nextProblem, actions.problemBefore, actions.repairAll});
}

void fillPassMenu(QMenu& menu, const Actions& actions)
{
    for (const PassAction& pass : actions.passes)
        menu.addAction(pass.action);
    menu.addAction(actions.runParts);
    menu.addSeparator();
    for (const PassAction& pass : actions.passes) {
        QMenu* options = pass.pass->asking == PassAsking::menu ? menu.addMenu(QObject::tr("%1 &options").arg(pass.pass->button))
                                                               : nullptr;
        for (const PassSwitch& option : actions.passSwitches)
            if (options != nullptr && option.pass == pass.pass)
                options->addAction(option.action);
        if (options != nullptr)
            options->setToolTipsVisible(true);
    }
    menu.addAction(actions.customOperators);
    menu.addSeparator();
    menu.addAction(actions.whyHere);
    menu.addAction(actions.closeResult);
}

void addWindowMenu(QMenuBar& bar, const Actions& actions, const std::vector<QAction*>& paneActions)
{
    QMenu* windowMenu = bar.addMenu(QObject::tr("&Window"));
    windowMenu->addActions(QList<QAction*>(actions.arrange.begin(), actions.arrange.end()));
    windowMenu->addSeparator();
    windowMenu->addActions({actions.showSide, actions.showBottom, actions.showRuns, actions.showSteps, actions.showMatches});
    for (QAction* action : paneActions)
        windowMenu->addAction(action);
    windowMenu->addSeparator();
    windowMenu->addActions({actions.nextArea, actions.previousArea});
    windowMenu->addSeparator();
    windowMenu->addAction(actions.resetLayout);
}

} // namespace

void addMenus(QMenuBar& bar, const Actions& actions, const std::vector<QAction*>& paneActions, const OpenModel& open,
              Preferences& preferences, QMenu& bookmarks)
{
    addFileMenu(bar, actions, open);
    addEditMenu(bar, actions);
    addViewMenu(bar, actions, preferences, bookmarks);
    addPaintMenu(bar, actions);
    fillPassMenu(*bar.addMenu(QObject::tr("Pa&sses")), actions);
    addWindowMenu(bar, actions, paneActions);
    QMenu* help = bar.addMenu(QObject::tr("&Help"));
    help->addActions({actions.tutorial, actions.documentation, actions.reference});
    help->addActions({actions.gestures, actions.legend, actions.about});
}

} // namespace sunder
