#include "document/runs/split_outcome.h"
#include "document/text.h"
#include "export/cut_format.h"
#include "parts/export_parts.h"
#include "parts/part_weights.h"
#include "support/text.h"
#include "text/amounts.h"

#include <QFileInfo>

#include <algorithm>

namespace sunder {
namespace {

Proof proofOf(const Outcome& outcome)
{
    switch (outcome.report.verdict) {
    case Verdict::same: return Proof::proven;
    case Verdict::different: return Proof::different;
    case Verdict::sameUpToRounding:
    case Verdict::undecided: break;
    }
    return Proof::undecided;
}

QString refusalOfParts(const ExportRequest& request)
{
    const VerifyReport& report = request.result<SplitOutcomePtr>()->reportOfParts();
    if (report.verdict == Verdict::same)
        return {};
    QString refusal = report.verdict == Verdict::different
        ? tr("Cannot export parts that are not equivalent to the model. %1")
        : tr("Cannot export parts that are not proven equivalent to the model. %1");
    refusal = refusal.arg(sentence(report.why));
    const QString a = text(report.nameA);
    const QString b = text(report.nameB);
    if (!a.isEmpty() && !b.isEmpty() && !(refusal.contains(a) && refusal.contains(b)))
        refusal += tr(" First difference: %1 in the model, %2 in the result.").arg(a, b);
    return refusal;
}

Result<std::uint64_t> bytesOfParts(const ExportRequest& request)
{
    SUNDER_TRY(const PartsSize size, sizeOfParts(request.source->program, request.result<SplitOutcomePtr>()->split));
    return size.all();
}

/// Lists the files that were removed from an earlier export: the first names and the number of others.
QString removedText(const std::vector<std::string>& names)
{
    constexpr std::size_t kMaxNames = 6;
    QStringList named;
    for (std::size_t i = 0; i < std::min(kMaxNames, names.size()); ++i)
        named << text(names[i]);
    if (names.size() > kMaxNames)
        named << tr("%1 more").arg(names.size() - kMaxNames);
    return tr(" Removed from the earlier export: %1.").arg(named.join(QStringLiteral(", ")));
}

Result<ExportedFiles> writeParts(const ExportRequest& request, ProgressMonitor& monitor)
{
    const SplitOutcomePtr outcome = request.result<SplitOutcomePtr>();
    ExportPartsOptions options{
        .proof = proofOf(*outcome), .why = outcome->report.why, .target = request.target, .format = request.partFormat};
    if (outcome->plan)
        options.dag = outcome->plan->dag;
    SUNDER_TRY(const ExportedParts written,
               exportParts(request.source->program, outcome->split, request.path.toStdString(), options, monitor));
    ExportedFiles files{.folder = QFileInfo(request.path).absoluteFilePath()};
    files.files << text(written.manifest);
    for (const std::string& file : written.files)
        files.files << text(file);
    if (!written.runner.empty())
        files.files << text(written.runner);
    if (!written.runner.empty())
        files.command = QStringLiteral("python ")
            + text(shellWord(QFileInfo(text(written.runner)).absoluteFilePath().toStdString()));
    files.note = tr("Every part was read back and matches the cut.");
    if (written.contents.taken.empty() && written.contents.tensors != 0)
        files.note += tr(" Their weights (%1) equal those of the model bit for bit.").arg(bytesText(written.contents.bytes));
    else if (!written.contents.taken.empty())
        files.note +=
            tr(" Their weights were not compared with those of the model: %1.").arg(text(written.contents.taken.front().why));
    if (!written.removed.empty())
        files.note += removedText(written.removed);
    return files;
}

} // namespace

ExportFormat partsFormat()
{
    return ofCut({.id = QStringLiteral("parts"),
                  .icon = QStringLiteral("parts"),
                  .title = tr("Parts that run"),
                  .what = tr("Every part as a separate model with its weights, and a manifest.json with "
                             "inputs, outputs, and the order of calls. A run.py next to .pt2 parts runs them end to end."),
                  .ending = QStringLiteral("-parts"),
                  .asking = ExportAsking::parts,
                  .isPt2 = true,
                  .refusal = refusalOfParts,
                  .size = bytesOfParts,
                  .write = writeParts});
}

} // namespace sunder
