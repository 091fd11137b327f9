#include "panes/partition_dag/partition_dag_pane.h"

#include "document/passes/partition_pass.h"
#include "document/text.h"
#include "models/look.h"
#include "models/tag_style_of.h"
#include "panes/partition_dag/dag_drawing.h"
#include "panes/partition_dag/part_graphs.h"
#include "panes/partition_dag/tensor_list.h"
#include "panes/partition_dag/ui_partition_dag_pane.h"
#include "support/format.h"

namespace sunder {

SplitOutcomePtr PartitionDagPane::cut() const
{
    return m_preview->outcome() != nullptr ? m_preview->outcome() : result<SplitOutcomePtr>();
}

int PartitionDagPane::shownNumber() const
{
    if (!m_measure)
        return 0;
    return m_measure->cut() == result<SplitOutcomePtr>() ? runNumber()
        : m_measure->cut() == m_preview->outcome()       ? m_preview->run()
                                                         : 0;
}

void PartitionDagPane::showResult()
{
    m_takenOver.clear();
    cancelMove();
    measureCut();
    showNotice();
}

void PartitionDagPane::measureCut()
{
    const SplitOutcomePtr wanted = cut();
    if (!wanted || !document().isOpen()) {
        m_measure.reset();
        showContent();
        return;
    }
    if (m_measure && m_measure->cut() == wanted) {
        if (const int number = shownNumber(); number != 0) // a preview may have become a run
            m_graphs->setRun(number, wanted);
        return;
    }
    const SnapshotPtr source = document().snapshot();
    std::shared_ptr<const CutGraph> known;
    if (m_measure && m_measure->source() == source)
        known = m_measure->graph();
    if (!m_measure)
        m_ui->totals->setLine(tr("Measuring the cut …"), {});
    m_jobs.start<CutMeasurePtr>(
        {.key = QStringLiteral("measure cut %1").arg(reinterpret_cast<quintptr>(this)),
         .title = tr("Measure the cut"),
         .quiet = true},
        [source, wanted, known](ProgressMonitor&) -> Result<CutMeasurePtr> {
            return std::make_shared<const CutMeasure>(source, wanted, known);
        },
        this,
        [this, wanted](Result<CutMeasurePtr> measure) {
            if (!measure || cut() != wanted)
                return;
            m_measure = std::move(*measure);
            showContent();
        });
}

void PartitionDagPane::showContent()
{
    closeList();
    cancelMove();
    const int number = shownNumber();
    m_graphs->setRun(number, number != 0 ? m_measure->cut() : nullptr);
    setContent();
    showSelection(document().selectedIn(number));
}

void PartitionDagPane::setContent()
{
    if (m_measure)
        m_view->setContent(
            dagContent(*m_measure, partLooksOf(document(), *m_measure->cut(), currentTheme()), document().devices()));
    else
        m_view->setContent({});
    m_view->setGraphs(m_graphs->perBox(m_view->content()));
    showTotals();
}

void PartitionDagPane::showTotals()
{
    const DagContent& content = m_view->content();
    m_ui->totals->setLine(m_measure ? content.totals : QString(), m_measure ? content.totalsTip : QString());
}

QString PartitionDagPane::totals() const
{
    return m_ui->totals->line();
}

void PartitionDagPane::refreshTheme()
{
    if (m_measure) {
        const DagPlace listed = m_listed;
        const DagPlace current = m_view->current();
        setContent(); // devices may be others, or called otherwise
        m_graphs->refreshTheme();
        showSelection(m_selected);
        if (m_view->content().boxes.size() > 0 && m_view->boxOf(current) < static_cast<int>(m_view->content().boxes.size()))
            m_view->setCurrent(current);
        if (listed.kind == DagPlace::Kind::ribbon)
            m_view->setOpenRibbon(listed.index);
    }
    update();
}

void PartitionDagPane::showStatus()
{
    if (m_preview->state() == PartitionPreview::State::none) {
        ResultPane::showStatus();
        return;
    }
    switch (m_preview->state()) {
    case PartitionPreview::State::running:
        header().setStatus(tr("Preview for other devices: partitioning …"), QStringLiteral("hint"),
                           tr("The devices have changed since run %1.").arg(runNumber()));
        break;
    case PartitionPreview::State::ready: {
        const Verdict verdict = m_preview->outcome()->report.verdict;
        header().setStatus(tr("Preview · %1 · %2").arg(nameOf(m_preview->outcome()->plan->request), textOf(verdict)),
                           verdict == Verdict::same ? QStringLiteral("proven") : QStringLiteral("warning"),
                           tr("The partition on the devices as they are in the table now. It is no run yet."));
        break;
    }
    default: header().setStatus(tr("Preview · does not fit these devices"), QStringLiteral("warning"), m_preview->why()); break;
    }
}

QString PartitionDagPane::notice() const
{
    return m_ui->notice->isHidden() ? QString() : m_ui->noticeText->text();
}

void PartitionDagPane::showNotice()
{
    QString said;
    QString button;
    QString tip;
    bool isWarning = false;
    const SplitOutcomePtr shown = result<SplitOutcomePtr>();
    if (shown && m_preview->state() == PartitionPreview::State::ready) {
        said = tr("A preview for the devices as they are now: they have changed since run %1.").arg(runNumber());
        button = tr("Keep as a run");
        tip = tr("Add this partition to the history of runs, and show its parts");
    } else if (shown && m_preview->state() == PartitionPreview::State::refused) {
        said = tr("On the devices as they are now: %1. Shown is run %2.").arg(m_preview->why(), QString::number(runNumber()));
        isWarning = true;
    } else if (!m_takenOver.isEmpty()) {
        said = m_takenOver;
        button = tr("Split");
        tip = tr("Split by the tags as they are now (Ctrl+Return)");
    } else if (shown && !shown->plan && !document().isSplitCurrent()) {
        said = tr("The tags have changed since this split.");
        button = tr("Split again");
        tip = tr("Split by the tags as they are now (Ctrl+Return)");
    }
    m_ui->noticeText->setText(withShortWords(said));
    setLook(*m_ui->noticeText, isWarning ? QStringLiteral("warning") : QString());
    m_ui->noticeButton->setText(button);
    m_ui->noticeButton->setToolTip(tip);
    m_ui->noticeButton->setVisible(!button.isEmpty());
    m_ui->notice->setVisible(!said.isEmpty());
}

QPushButton& PartitionDagPane::noticeButton()
{
    return *m_ui->noticeButton;
}

std::shared_ptr<const Drawing> PartitionDagPane::drawing() const
{
    return drawingOf(m_view->content(), m_view->layoutOfContent().size.width(), m_view->zoom(), m_view->seen());
}

void PartitionDagPane::zoomBy(double factor)
{
    if (RunGraphView* graph = m_graphs->graphWithFocus())
        graph->canvas().zoomBy(factor);
    else
        m_view->zoomBy(factor);
}

void PartitionDagPane::showAll()
{
    if (RunGraphView* graph = m_graphs->graphWithFocus())
        graph->canvas().fitAll();
    else
        m_view->fit();
}

} // namespace sunder
