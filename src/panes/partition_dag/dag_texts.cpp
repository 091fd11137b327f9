#include "panes/partition_dag/dag_texts.h"

#include "document/passes/partition_pass.h"
#include "document/runs/why_here.h"
#include "document/text.h"
#include "models/look.h"
#include "panes/partition_dag/bar_legend.h"
#include "panes/partition_dag/dag_view.h"
#include "panes/partition_dag/part_mover.h"
#include "panes/partition_dag/shown_cut.h"
#include "panes/partition_dag/tensor_list.h"
#include "panes/partition_dag/ui_partition_dag_pane.h"
#include "text/elided_name.h"

namespace sunder {
namespace {

/// Lets a line of figures wrap between figures, and long ones between words, but never between a number and its unit.
QString wrappingBetweenFigures(const QString& line)
{
    constexpr qsizetype kLong = 24; ///< characters
    const QChar hard(QChar::Nbsp);
    QStringList figures = line.split(QStringLiteral(" · "));
    for (QString& figure : figures)
        for (qsizetype i = 1; i < figure.size(); ++i)
            if (figure[i] == u' ' && (figure.size() <= kLong || figure[i - 1].isDigit()))
                figure[i] = hard;
    return withShortWords(figures.join(hard + QStringLiteral("· ")));
}

} // namespace

DagTexts::DagTexts(Ui::PartitionDagPane& form, const Document& document, ShownCut& cut, PartMover& mover, QWidget& pane)
    : QObject(&pane), m_form(form), m_document(document), m_cut(cut), m_mover(mover), m_pane(pane)
{
    m_form.notice->hide();
    m_form.reason->hide();
    m_form.memory->hide();
    m_form.torchCount->hide();
    connect(m_form.noticeButton, &QPushButton::clicked, this, &DagTexts::pressButton);
    connect(&m_cut, &ShownCut::measuring, this, [this] { m_form.totals->setText(tr("Measuring the cut…")); });
    connect(&m_mover, &PartMover::made, this, &DagTexts::showNotice);
}

void DagTexts::pressButton()
{
    if (m_cut.preview().state() == PartitionPreview::State::ready)
        m_cut.preview().keep();
    else if (Runs::isForOtherSizes(m_cut.run()) && m_mover.takenOver().isEmpty())
        emit partitionRequested(m_cut.run()->plan->request);
    else
        emit splitRequested();
}

void DagTexts::showTotals(const DagContent& content)
{
    m_form.totals->setText(wrappingBetweenFigures(content.totals));
    m_form.totals->setAccessibleName(content.totals);
    m_form.totals->setToolTip(folded(content.totalsTip + QLatin1Char('\n') + content.torchCount).trimmed());
    m_form.torchCount->setFigures(
        content.torchCount,
        tr("PyTorch's partitioner fills devices by its own count: no value is ever freed, and an input counts "
           "once per consumer."));
    fit();
    m_form.memory->setVisible(m_cut.measure() && m_cut.measure()->cut()->plan);
}

/// In a low pane, e.g. on 1440×900 at 200%, the texts have one line and the graph has the rest.
void DagTexts::fit()
{
    constexpr int kLowPane = 300;
    const bool isLow = m_pane.height() < kLowPane;
    const QFontMetricsF metrics(m_form.reason->font());
    const int room = m_form.reason->contentsRect().width() - 2 * m_form.reason->margin();
    m_form.reason->setText(isLow ? elidedWords(m_reason, metrics, room) : withShortWords(m_reason));
    m_form.reason->setToolTip(isLow ? folded(m_reason) : QString());
    m_form.reason->setVisible(!m_reason.isEmpty());
    m_form.legend->setMaximumHeight(isLow ? 0 : QWIDGETSIZE_MAX); // the list of tensors decides on its visibility
    m_form.torchCount->setVisible(!isLow && !m_form.torchCount->line().isEmpty());
}

void DagTexts::showNotice()
{
    QString said;
    QString button;
    QString tip;
    bool isWarning = false;
    const SplitOutcomePtr& shown = m_cut.run();
    if (m_cut.proposedPlan()) {
        said = tr("Preview of the balanced cut. Loads are seconds of compute and transfers.");
    } else if (m_cut.hasProposal()) {
        said = tr("Preview of the parts by support.");
    } else if (shown && m_cut.preview().state() == PartitionPreview::State::ready) {
        said = tr("Preview for the changed devices (run %1 used others).").arg(m_cut.runNumber());
        button = tr("Keep as a run");
        tip = tr("Add this partition to the history of runs, and show its parts");
    } else if (shown && m_cut.preview().state() == PartitionPreview::State::refused) {
        said = tr("Cannot partition for the changed devices: %1. Showing run %2.")
                   .arg(m_cut.preview().why(), QString::number(m_cut.runNumber()));
        isWarning = true;
    } else if (!m_mover.takenOver().isEmpty()) {
        said = m_mover.takenOver();
        button = tr("Split");
        tip = tr("Split by the current tags (Ctrl+Return)");
    } else if (Runs::isForOtherSizes(shown)) {
        said = sentence(otherSizesText(*shown).toStdString());
        if (!shown->plan->refusedNow.empty())
            said += QLatin1Char(' ') + sentence(shown->plan->refusedNow);
        button = tr("Run again");
        tip = otherSizesTip(*shown);
        isWarning = true;
    } else if (shown && !shown->plan && !m_document.runs().isSplitCurrent()) {
        said = tr("The tags have changed since this split.");
        button = tr("Split again");
        tip = tr("Split by the current tags (Ctrl+Return)");
    } else if (shown && shown->plan) {
        said = text(shown->plan->separateForwardBackward);
        isWarning = !said.isEmpty();
    }
    const bool isOfCut = !m_cut.hasProposal() && m_mover.takenOver().isEmpty()
        && m_cut.preview().state() != PartitionPreview::State::refused && !Runs::isForOtherSizes(shown);
    m_reason = isOfCut && m_cut.outcome() && m_document.isOpen() ? whyCut(m_document.graph(), *m_cut.outcome()) : QString();
    fit();
    m_form.noticeText->setText(withShortWords(said));
    setLook(*m_form.noticeText, isWarning ? QStringLiteral("warning") : QString());
    m_form.noticeButton->setText(button);
    m_form.noticeButton->setToolTip(tip);
    m_form.noticeButton->setVisible(!button.isEmpty());
    m_form.notice->setVisible(!said.isEmpty());
}

} // namespace sunder

#include "moc_dag_texts.cpp"
