#include "app/repair_offer.h"

#include "dialogs/message_dialog.h"
#include "document/text.h"
#include "jobs/jobs.h"
#include "panels/notice_bar.h"
#include "support/format.h"
#include "text/amounts.h"

#include <QApplication>
#include <QCheckBox>
#include <QPushButton>

#include <algorithm>

namespace sunder {
namespace {

constexpr std::size_t kShownLines = 12;
constexpr int kMaxListedText = 2400;  ///< total length of the lines, in characters

/// Returns the first lines and a line with the number of omitted ones.
QString listed(const std::vector<std::string>& lines)
{
    QStringList shown;
    const std::size_t count = std::min(kShownLines, lines.size());
    for (std::size_t i = 0; i < count; ++i) // few lines can be long: a sentence without its middle explains nothing
        shown += QStringLiteral("• ") + brief(text(lines[i]), kMaxListedText / static_cast<int>(count));
    if (lines.size() > kShownLines)
        shown += QObject::tr("and %1 more").arg(lines.size() - kShownLines);
    return shown.join(QLatin1Char('\n'));
}

QString priceOf(const RepairPlan& plan)
{
    if (plan.calls == 0)
        return QObject::tr("Changes only the list of tags.");
    return QObject::tr("Changes the tag of %1 (%2 of weights).").arg(countText(plan.calls, "op"), text(formatBytes(plan.bytes)));
}

/// "3 fixes solve"
QString repairsFix(const RepairPlan& plan)
{
    return countText(plan.labels.size(), "fix") + (plan.labels.size() == 1 ? QObject::tr(" solves") : QObject::tr(" solve"));
}

QString headlineOf(const RepairPlan& plan, std::size_t problems)
{
    if (plan.labels.empty())
        return problems == 0 ? QObject::tr("There are no problems to fix.")
                             : QObject::tr("No fix that keeps all tags solves a problem without adding one.");
    if (problems == 0)
        return QObject::tr("%1 the notes.").arg(repairsFix(plan));
    const std::size_t gone = problems - std::min(problems, plan.problemsStaying);
    if (gone == problems)
        return QObject::tr("%1 all problems.").arg(repairsFix(plan));
    return QObject::tr("%1 %2 of %3.").arg(repairsFix(plan)).arg(gone).arg(countText(problems, "problem"));
}

QString explanationOf(const RepairPlan& plan)
{
    QStringList paragraphs;
    if (!plan.labels.empty())
        paragraphs << priceOf(plan) << listed(plan.labels);
    if (plan.problemsStaying > 0)
        paragraphs << QObject::tr("%1 would remain:").arg(countText(plan.problemsStaying, "problem"))
                   << listed({plan.staying.begin(), plan.staying.begin() + static_cast<std::ptrdiff_t>(plan.problemsStaying)});
    return paragraphs.join(QStringLiteral("\n\n"));
}

/// "Also merge tags, which removes stage1; the model would not be split"
QString choiceText(const RepairPlan& removing)
{
    constexpr std::size_t kNamed = 4;
    QStringList names;
    for (const InternedString tag : removing.removed)
        if (names.size() < static_cast<qsizetype>(kNamed))
            names << brief(text(tag));
    if (removing.removed.size() > kNamed)
        names << QObject::tr("%1 more").arg(removing.removed.size() - kNamed);
    const QString removes = QObject::tr("Also merge tags, which removes %1").arg(names.join(QStringLiteral(", ")));
    return removing.tagsLeft < 2 ? QObject::tr("%1; the model would not be split").arg(removes) : removes;
}

/// Returns whether a dialog or menu is open or a drag is in progress.
bool isBusy()
{
    return QApplication::activeModalWidget() != nullptr || QApplication::activePopupWidget() != nullptr
        || QGuiApplication::mouseButtons() != Qt::NoButton;
}

} // namespace

RepairOffer::RepairOffer(NoticeBar& bar, Document& document, Jobs& jobs, QWidget& window)
    : QObject(&window), m_bar(bar), m_document(document), m_jobs(jobs), m_window(window)
{
    connect(&bar, &NoticeBar::chosen, this, &RepairOffer::choose);
    connect(&document, &Document::changed, this, [this](Changes) {
        if (m_found && !isOfNow(*m_found))
            forget();
    });
}

void RepairOffer::search()
{
    if (!m_document.isOpen())
        return;
    forget();
    Found found{.snapshot = m_document.snapshot(),
                .before = m_document.tags(),
                .devices = m_document.devices().list(),
                .problems = static_cast<std::size_t>(std::ranges::count_if(m_document.checks().problems(), isCounted))};
    const ProblemOptions options{.activeTag = m_document.activeTag(), .splitWanted = m_document.checks().isUntaggedShown()};
    m_jobs.start<RepairChoice>(
        {.key = QStringLiteral("repair all"), .title = tr("Find fixes")},
        [snapshot = found.snapshot, tags = found.before, options, devices = found.devices](ProgressMonitor& monitor)
            -> Result<RepairChoice> { return repairChoice(*snapshot, tags, options, {.devices = devices}, monitor); },
        this,
        [this, found](Result<RepairChoice> choice) mutable {
            if (!choice)
                return;
            found.choice = std::move(*choice);
            take(std::move(found));
        });
}

bool RepairOffer::isOfNow(const Found& found) const
{
    const TagAssignment& tags = m_document.tags();
    return m_document.isOf(found.snapshot) && tags.tagOf == found.before.tagOf && tags.order == found.before.order
        && m_document.devices().list() == found.devices;
}

void RepairOffer::take(Found found)
{
    if (!isOfNow(found)) {
        if (m_document.isOf(found.snapshot))
            emit message(tr("The tags have changed since the search for fixes began. Search again."));
        return;
    }
    m_found = std::move(found);
    if (!isBusy()) {
        ask();
        return;
    }
    m_bar.show({.headline = tr("The search for fixes is done"),
                .text = headlineOf(m_found->choice.keeping, m_found->problems),
                .offers = {{tr("Sho&w fixes…"), tr("Review their changes before you apply them")},
                           {tr("&Dismiss"), tr("Keep the tags unchanged")}}});
}

void RepairOffer::forget()
{
    m_found.reset();
    m_bar.hide();
}

void RepairOffer::choose(int offer)
{
    if (offer == 0 && m_found)
        ask();
    else
        forget();
}

void RepairOffer::ask()
{
    const Found found = *std::exchange(m_found, std::nullopt);
    const RepairPlan& keeping = found.choice.keeping;
    const std::optional<RepairPlan>& removing = found.choice.removing;
    auto* box = new MessageDialog(tr("Fix all"), headlineOf(keeping, found.problems), explanationOf(keeping), &m_window);
    box->setAttribute(Qt::WA_DeleteOnClose);
    QCheckBox* merges = removing ? &box->offerChoice(choiceText(*removing), headlineOf(*removing, found.problems)) : nullptr;
    const bool repairs = !keeping.labels.empty() || removing;
    if (repairs) {
        QPushButton& repair = box->offer(tr("Fix"), [this, found, merges] {
            const bool isMerged = merges != nullptr && merges->isChecked();
            const RepairPlan& plan = isMerged ? *found.choice.removing : found.choice.keeping;
            m_document.tagSources().takeTags(plan.tags, tr("Fix all: %1").arg(countText(plan.labels.size(), "fix")));
        });
        repair.setEnabled(!keeping.labels.empty());
        if (merges != nullptr)
            connect(merges, &QCheckBox::toggled, box, [box, &repair, found](bool isOn) {
                const RepairPlan& plan = isOn ? *found.choice.removing : found.choice.keeping;
                box->setTexts(headlineOf(plan, found.problems), explanationOf(plan));
                repair.setEnabled(!plan.labels.empty());
            });
    }
    box->offerToLeave(repairs ? tr("Cancel") : tr("Close"), !repairs);
    box->open(); // open() instead of exec(): jobs continue
}

} // namespace sunder

#include "moc_repair_offer.cpp"
