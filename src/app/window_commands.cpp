#include "app/window_commands.h"

#include "app/actions.h"
#include "app/key_groups.h"
#include "app/keyboard_focus.h"
#include "app/messages.h"
#include "app/pane_table.h"
#include "app/session.h"
#include "app/window_settings.h"
#include "app/workspace.h"
#include "dialogs/about_dialog.h"
#include "dialogs/help_dialog.h"
#include "dialogs/keys_page.h"
#include "dialogs/legend_dialog.h"
#include "document/runs/why_here.h"
#include "panels/matches_panel.h"
#include "panels/problems_panel.h"
#include "panels/search_field.h"
#include "panels/tags_panel.h"

#include <QLayout>
#include <QMainWindow>

#include <algorithm>

namespace sunder {

WindowCommands::WindowCommands(const Parts& parts, QMainWindow& window) : QObject(&window), m_parts(parts), m_window(window)
{
    connectDocument();
    connectPanels();
    connectHelp();
}

void WindowCommands::connectDocument()
{
    const Actions& actions = m_parts.actions;
    const auto on = [this](QAction* action, auto what) { connect(action, &QAction::triggered, this, what); };
    on(actions.quit, [this] { m_window.close(); });
    on(actions.find, [this] { goToSearch(); });
    on(actions.nextUntagged, [this] {
        if (!m_parts.session.document().marks().selectNextUntagged())
            m_parts.messages.say(tr("Every op has a tag."));
    });
    on(actions.nextProblem, [this] { goToProblem(1); });
    on(actions.problemBefore, [this] { goToProblem(-1); });
    on(actions.whyHere, [this] { answerWhyHere(); });
    on(actions.renameTag, [this] { renameTag(); });
    on(actions.tagCode, [this] { editTagCode(); });
}

void WindowCommands::connectPanels()
{
    const Actions& actions = m_parts.actions;
    const auto on = [this](QAction* action, auto what) { connect(action, &QAction::triggered, this, what); };
    connect(actions.showSide, &QAction::toggled, &m_parts.work, &WorkArea::setSideVisible);
    connect(actions.showBottom, &QAction::toggled, &m_parts.work, &WorkArea::setBottomVisible);
    connectTab(actions.showRuns, &WorkArea::showRuns);
    connectTab(actions.showSteps, &WorkArea::showSteps);
    connectTab(actions.showMatches, &WorkArea::showMatches);
    connectTab(actions.showRules, &WorkArea::showRules);
    connect(&m_parts.work.matches(), &MatchesPanel::arrived, actions.showMatches, &QAction::trigger);
    for (std::size_t i = 0; i < actions.arrange.size(); ++i)
        on(actions.arrange[i], [this, i] { m_parts.work.panes().arrange(arrangements()[i]); });
    on(actions.nextArea, [this] { stepFocus(areas(), 1); });
    on(actions.previousArea, [this] { stepFocus(areas(), -1); });
    on(actions.resetLayout, [this] { resetWindow(m_window, m_parts.work, m_parts.actions); });
}

void WindowCommands::connectTab(QAction* action, void (WorkArea::*show)())
{
    connect(action, &QAction::triggered, this, [this, show] {
        m_parts.actions.showBottom->setChecked(true);
        (m_parts.work.*show)();
    });
}

void WindowCommands::connectHelp()
{
    const Actions& actions = m_parts.actions;
    const auto on = [this](QAction* action, auto what) { connect(action, &QAction::triggered, this, what); };
    on(actions.tutorial, [this] { HelpDialog::show(QStringLiteral("first-cut"), m_window); });
    on(actions.documentation, [this] { HelpDialog::show(QStringLiteral("index"), m_window); });
    on(actions.reference, [this] { HelpDialog::show(QStringLiteral("command-line"), m_window); });
    on(actions.gestures, [this] { KeysDialog(keyGroups(*m_window.menuBar()), &m_window).exec(); });
    on(actions.legend, [this] {
        auto* dialog = m_window.findChild<LegendDialog*>();
        if (dialog == nullptr)
            dialog = new LegendDialog(&m_window);
        dialog->show(); // non-modal
        dialog->raise();
    });
    on(actions.about, [this] { AboutDialog(&m_window).exec(); });
}

/// Goes to the next or previous problem, from any focus.
void WindowCommands::goToProblem(int by)
{
    m_parts.actions.showBottom->setChecked(true);
    m_parts.work.showProblems();
    const QString sentence = m_parts.work.problems().step(by);
    m_parts.messages.say(sentence.isEmpty() ? tr("No problems. Ready to split.") : sentence);
}

/// Focuses the search field. If it is not visible (on the welcome page), typed keys do not become commands.
void WindowCommands::goToSearch()
{
    m_parts.search.setFocus(Qt::ShortcutFocusReason);
    m_parts.search.selectAll();
    m_parts.awaited.expectIn(m_parts.search);
}

void WindowCommands::renameTag()
{
    m_parts.actions.showSide->setChecked(true);
    m_parts.work.tags().renameActive();
    if (m_parts.session.document().activeTag() >= 0)
        m_parts.awaited.expectIn(m_parts.work.tags());
}

void WindowCommands::editTagCode()
{
    m_parts.actions.showSide->setChecked(true);
    m_parts.work.tags().editActiveCode();
    m_parts.awaited.expectIn(m_parts.work.tags());
}

/// For several nodes, answers for the focused one, else for the first op, since a module's weights precede its ops.
void WindowCommands::answerWhyHere()
{
    Document& document = m_parts.session.document();
    const SplitOutcomePtr cut = document.runs().shownSplit();
    const Selection& selection = document.marks().selection();
    if (selection.source.empty())
        return;
    const bool hasFocus = selection.run == 0 && selection.focus.node
        && selection.focus.graph == document.snapshot()->program.root;
    const Graph& graph = document.graph();
    const auto op = std::ranges::find_if(selection.source, [&](NodeId id) { return graph[id].isCall(); });
    const NodeId first = op != selection.source.end() ? *op : selection.source.front();
    const NodeId asked = hasFocus ? selection.focus.node : first;
    if (!cut || !cut->plan) {
        document.loads().explainOp(asked, document.tags(), [this, question = questionAbout(graph, asked)](const QString& why) {
            m_parts.messages.answer(question, why.isEmpty() ? tr("This node is not an op, so it has no stage.") : why);
        });
        return;
    }
    const WhyHere why = whyNodeHere(graph, *cut, asked);
    m_parts.messages.answer(why.question, why.answer.isEmpty() ? tr("No part of the partition contains this node.") : why.answer);
}

/// Returns the stops of Ctrl+Tab: the notices at the top, panes, and panels.
std::vector<QWidget*> WindowCommands::areas() const
{
    std::vector<QWidget*> areas;
    const QLayout& column = *m_window.centralWidget()->layout();
    for (int i = 0; i < column.count(); ++i)
        if (QWidget* bar = column.itemAt(i)->widget(); !bar->isAncestorOf(&m_parts.work) && bar->isVisible())
            areas.push_back(bar);
    const std::vector<QWidget*> below = m_parts.work.areas();
    areas.insert(areas.end(), below.begin(), below.end());
    return areas;
}

} // namespace sunder

#include "moc_window_commands.cpp"
