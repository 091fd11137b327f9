#include "app/repair_everything.h"

#include "dialogs/message_dialog.h"
#include "document/document.h"
#include "document/text.h"
#include "jobs/jobs.h"
#include "support/format.h"
#include "tagging/repair_all.h"
#include "text/amounts.h"

#include <algorithm>

namespace sunder {
namespace {

constexpr std::size_t kShownLines = 12;
constexpr int kLongestLine = 200; ///< characters: two lines of the dialog

/// Lines, the first of them; then one that counts the rest.
QString listed(const std::vector<std::string>& lines)
{
    QStringList shown;
    for (std::size_t i = 0; i < std::min(kShownLines, lines.size()); ++i)
        shown += QStringLiteral("• ") + brief(text(lines[i]), kLongestLine);
    if (lines.size() > kShownLines)
        shown += QObject::tr("and %1 more").arg(lines.size() - kShownLines);
    return shown.join(QLatin1Char('\n'));
}

QString priceOf(const RepairPlan& plan)
{
    return QObject::tr("%1 would get another tag (%2 of weights).")
        .arg(countText(plan.calls, "op"), text(formatBytes(plan.bytes)));
}

QString headlineOf(const RepairPlan& plan)
{
    if (plan.problems == 0)
        return QObject::tr("There is no problem to repair.");
    if (plan.labels.empty())
        return QObject::tr("There is no repair that removes a problem and adds none.");
    const QString repairs = countText(plan.labels.size(), "repair");
    const std::size_t gone = plan.problems - std::min(plan.problems, plan.staying.size());
    if (plan.staying.empty())
        return QObject::tr("%1 would take all problems away.").arg(repairs);
    return QObject::tr("%1 would take %2 of %3 away.").arg(repairs).arg(gone).arg(countText(plan.problems, "problem"));
}

void ask(const RepairPlan& plan, Document& document, QWidget& window)
{
    const QString title = QObject::tr("Repair all");
    const bool repairs = !plan.labels.empty();
    QStringList paragraphs;
    if (repairs)
        paragraphs << priceOf(plan) << listed(plan.labels);
    if (!plan.staying.empty())
        paragraphs << QObject::tr("%1 would stay:").arg(countText(plan.staying.size(), "problem")) << listed(plan.staying);
    auto* box = new MessageDialog(title, headlineOf(plan), paragraphs.join(QStringLiteral("\n\n")), &window);
    box->setAttribute(Qt::WA_DeleteOnClose);
    if (repairs)
        box->offer(QObject::tr("Repair"), [&document, tags = plan.tags, count = plan.labels.size()] {
            document.takeTags(tags, QObject::tr("Repair all: %1").arg(countText(count, "repair")));
        });
    box->offerToLeave(repairs ? QObject::tr("Cancel") : QObject::tr("Close"), !repairs);
    box->open(); // not exec(): jobs go on
}

} // namespace

void repairEverything(Document& document, Jobs& jobs, QWidget& window)
{
    if (!document.isOpen())
        return;
    const SnapshotPtr snapshot = document.snapshot();
    const ProblemOptions options{.activeTag = document.activeTag(), .splitWanted = document.isUntaggedShown()};
    jobs.start<RepairPlan>(
        {.key = QStringLiteral("repair all"), .title = QObject::tr("Find repairs")},
        [snapshot, tags = document.tags(), options, devices = document.devices()](ProgressMonitor& monitor)
            -> Result<RepairPlan> { return repairAll(*snapshot, tags, options, {.devices = devices}, monitor); },
        &window,
        [&document, &window, snapshot, before = document.tags()](Result<RepairPlan> plan) {
            const bool isOfThese = document.isOf(snapshot) && document.tags().tagOf == before.tagOf
                && document.tags().order == before.order; // else a stroke came in between
            if (plan && isOfThese)
                ask(*plan, document, window);
        });
}

} // namespace sunder
