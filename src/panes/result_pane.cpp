#include "panes/result_pane.h"

#include "document/text.h"
#include "panes/frame_scheduler.h"
#include "verify/verdict_text.h"

#include <utility>

namespace sunder {

ResultPane::ResultPane(Document& document, ResultKind kind, const QString& title, const QString& hint, QWidget* parent)
    : Pane(title, parent), m_document(document), m_kind(kind), m_emptyHint(hint)
{
}

void ResultPane::addWindowButtons()
{
    m_again = header().addButton(QStringLiteral("again"), tr("Run again with other options…"));
    connect(m_again, &QToolButton::clicked, this, [this] { emit runAgainRequested(m_number); });
    Pane::addWindowButtons();
}

void ResultPane::start()
{
    connect(&m_document, &Document::changed, this, &ResultPane::changed);
    connect(&m_document.marks(), &Marks::hoverChanged, this, [this] {
        FrameScheduler::follow(*this, FrameScheduler::What::hover, m_document.marks().hovered().size(),
                               [this] { showHovered(refsOf(m_document.marks().hovered(), false)); });
    });
    connect(&m_document.marks(), &Marks::revealRequested, this, [this] {
        if (isFollowing())
            reveal();
    });
    takeResult();
}

void ResultPane::changed(Changes what)
{
    if (what & (Change::outcome | Change::program | Change::runs | Change::devices))
        takeResult();
    if (what & (Change::tagList | Change::devices))
        refreshTheme();
    if (what.testFlag(Change::selection) && m_number != 0) {
        m_reveals = true;
        followSelection();
    }
    documentChanged(what);
}

/// Finding the counterparts of a million nodes is slow: the focused pane does it immediately, others in later turns.
void ResultPane::followSelection()
{
    const QWidget* focused = window()->focusWidget();
    const bool isHere = focused != nullptr && isAncestorOf(focused);
    FrameScheduler::follow(*this, FrameScheduler::What::selection, isHere ? 0 : m_document.marks().selection().source.size(),
                           [this] { bringSelection(); });
}

void ResultPane::bringSelection()
{
    const bool reveals = std::exchange(m_reveals, false);
    if (m_number == 0)
        return;
    showSelection(refsOf(m_document.marks().selection().source, true));
    if (reveals && isFollowing())
        reveal();
}

void ResultPane::takeResult()
{
    const int number = m_document.runs().shown(m_kind);
    const Run* run = m_document.runs().find(number);
    const RunResult result = run == nullptr ? RunResult() : run->result;
    if (result != m_result || number != m_number) {
        const RunResult before = std::exchange(m_result, result);
        m_number = run == nullptr ? 0 : number;
        showResult();
        if (m_number != 0)
            followSelection();
    }
    if (m_again != nullptr)
        m_again->setEnabled(m_number > 0);
    showState();
}

void ResultPane::showState()
{
    showHint(isEmpty() ? m_emptyHint : QString());
    showStatus();
}

std::vector<NodeRef> ResultPane::refsOf(const std::vector<NodeId>& source, bool selection) const
{
    const Run* run = m_document.runs().find(m_number);
    if (run == nullptr)
        return {};
    if (mapOf(*run) != nullptr)
        return selection ? m_document.marks().selectedIn(m_number) : m_document.runs().counterpartsIn(m_number, source);
    std::vector<NodeRef> refs;
    for (const NodeId id : source)
        refs.push_back({m_document.snapshot()->program.root, id});
    return refs;
}

namespace {

/// Appends the assumptions of a verdict, advice, and the options of the run.
QString withNotes(const QString& verdict, const Run& run)
{
    const VerifyReport& report = run.result->report;
    QStringList lines{verdict};
    if (const QString hint = hintOf(report); !hint.isEmpty())
        lines << hint;
    if (!report.notes.empty())
        lines << QObject::tr("Assumptions:");
    for (const std::string& note : report.notes)
        lines << text(note);
    if (lines.first().isEmpty())
        lines.removeFirst();
    lines << optionsOf(run);
    return lines.join(QLatin1Char('\n'));
}

} // namespace

void ResultPane::showStatus()
{
    const Run* run = m_document.runs().find(m_number);
    if (run == nullptr) {
        header().setStatus({}, QStringLiteral("hint"), {});
        return;
    }
    const QString what = tr("Run %1 · %2").arg(run->number).arg(nameOf(*run));
    const bool isOutdated = m_document.runs().isShown(*run) && !m_document.runs().isCurrent(*run);
    if (isOutdated) {
        const SplitOutcomePtr cut = as<SplitOutcomePtr>(run->result);
        const bool byDevices = cut && cut->plan;
        if (byDevices && m_document.runs().isSplitCurrent()) {
            header().setStatus(tr("%1 · %2").arg(what, otherSizesText(*cut)), QStringLiteral("warning"), otherSizesTip(*cut));
            return;
        }
        header().setStatus(
            byDevices ? tr("%1 · devices have changed since").arg(what) : tr("%1 · tags have changed since").arg(what),
            QStringLiteral("warning"),
            byDevices ? tr("Partition again for the current devices.") : tr("Split again (Ctrl+Return) by the current tags."));
        return;
    }
    if (!isVerified(*run)) {
        header().setStatus(tr("%1 · %2").arg(what, outcomeOf(*run)), QStringLiteral("hint"), withNotes({}, *run));
        return;
    }
    const VerifyReport& report = run->result->report;
    const QString verdict = textOf(report.verdict);
    const QString place = report.nameA.empty() ? QString() : tr(" at %1").arg(text(report.nameA));
    switch (report.verdict) {
    case Verdict::same:
        header().setStatus(tr("%1 · %2").arg(what, verdict), QStringLiteral("proven"),
                           withNotes(tr("Equivalent to the model. %1").arg(text(basisText(report))), *run));
        break;
    case Verdict::different:
    case Verdict::sameUpToRounding:
    case Verdict::undecided:
        header().setStatus(tr("%1 · %2%3").arg(what, verdict, place),
                           report.verdict == Verdict::different ? QStringLiteral("error") : QStringLiteral("warning"),
                           withNotes(sentence(report.why), *run));
        break;
    }
}

} // namespace sunder

#include "moc_result_pane.cpp"
