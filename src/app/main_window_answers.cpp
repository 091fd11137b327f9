// Answers of the window: why a split was refused, and why a partitioner placed an op where it is.
#include "app/main_window.h"
#include "app/split_refusal.h"
#include "dialogs/export_dialog.h"
#include "dialogs/message_dialog.h"
#include "document/runs/why_here.h"
#include "document/text.h"
#include "panels/problems_panel.h"

#include <algorithm>

namespace sunder {

void MainWindow::splitRefused(const QString& why)
{
    say(why);
    m_actions.showBottom->setChecked(true);
    m_work->showProblems();
    m_work->problems().markRefused();
    for (ExportDialog* dialog : findChildren<ExportDialog*>())
        dialog->close(); // the dialog would cover the problems
    m_refusal->show(tr("The model was not split"), why);
}

void MainWindow::answer(const QString& question, const QString& why)
{
    auto* box = new MessageDialog(question, question, withShortWords(why), this);
    box->setAttribute(Qt::WA_DeleteOnClose);
    box->offerToLeave(tr("Close"), true);
    box->open(); // open() instead of exec(): jobs continue, and tests can inspect it
}

/// For several nodes, answers for the focused one, else for the first op, since a module's weights precede its ops.
void MainWindow::answerWhyHere()
{
    const SplitOutcomePtr cut = m_document.runs().shownSplit();
    const Selection& selection = m_document.marks().selection();
    if (!cut || !cut->plan || selection.source.empty())
        return;
    const bool hasFocus = selection.run == 0 && selection.focus.node
        && selection.focus.graph == m_document.snapshot()->program.root;
    const Graph& graph = m_document.graph();
    const auto op = std::ranges::find_if(selection.source, [&](NodeId id) { return graph[id].isCall(); });
    const NodeId first = op != selection.source.end() ? *op : selection.source.front();
    const WhyHere why = whyNodeHere(graph, *cut, hasFocus ? selection.focus.node : first);
    answer(why.question, why.answer.isEmpty() ? tr("No part of the partition contains this node.") : why.answer);
}

/// Repeats a cut with the current tags, devices, and sizes.
void MainWindow::cutAgain(const RunResult& result)
{
    const SplitOutcomePtr cut = as<SplitOutcomePtr>(result);
    if (!cut || !cut->plan) {
        m_passes.runWith(result->pass, result->options);
        return;
    }
    PartitionRequest request = cut->plan->request;
    request.config.devices = m_document.devices().list();
    m_workflow.partition(request);
}

} // namespace sunder
