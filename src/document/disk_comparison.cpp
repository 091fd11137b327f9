#include "document/disk_comparison.h"

#include "analysis/tensors_read.h"
#include "document/open_model.h"
#include "document/text.h"
#include "io/archives/source_file.h"
#include "io/model_file.h"
#include "parts/stored_contents.h"
#include "support/format.h"
#include "text/amounts.h"
#include "verify/verdict_text.h"
#include "verify/verify.h"

#include <QObject>
#include <QStringList>

#include <map>

namespace sunder {
namespace {

constexpr qsizetype kShown = 6;

QString listed(QStringList lines, const QString& between)
{
    const qsizetype all = lines.size();
    if (all > kShown) {
        lines = lines.mid(0, kShown);
        lines << QObject::tr("and %1 more").arg(text(formatCount(static_cast<std::uint64_t>(all - kShown))));
    }
    return lines.join(between);
}

/// Returns one line per difference; empty if there are no weights.
QString textOf(const WeightChanges& changes)
{
    QStringList lines;
    if (changes.equal > 0)
        lines << QObject::tr("By CRC, %1 the same values as before.")
                     .arg(countText(changes.equal, "weight") + (changes.equal == 1 ? QObject::tr(" has") : QObject::tr(" have")));
    QStringList others;
    for (const InternedString fqn : changes.others)
        others << text(fqn);
    if (!others.isEmpty())
        lines << QObject::tr("By CRC, these have other values:\n%1").arg(listed(others, QStringLiteral("\n")));
    if (changes.unknown > 0)
        lines << QObject::tr("For %1 the files do not show whether the values are the same.")
                     .arg(countText(changes.unknown, "weight"));
    if (changes.onlyBefore > 0)
        lines << (changes.onlyBefore == 1 ? QObject::tr("%1 of the open model is not in the file.")
                                          : QObject::tr("%1 of the open model are not in the file."))
                     .arg(countText(changes.onlyBefore, "weight"));
    if (changes.onlyAfter > 0)
        lines << QObject::tr("%1 only in the file.")
                     .arg(countText(changes.onlyAfter, "weight")
                          + (changes.onlyAfter == 1 ? QObject::tr(" is") : QObject::tr(" are")));
    return lines.join(QLatin1Char('\n'));
}

QString verdictOf(const VerifyReport& report, const WeightChanges& weights)
{
    switch (report.verdict) {
    case Verdict::same:
        if (report.basis == VerdictBasis::contents)
            return QObject::tr("The file contains the same model.");
        return weights.others.empty() ? QObject::tr("The file contains the same graph.")
                                      : QObject::tr("The file contains the same graph with other weights.");
    case Verdict::different: return QObject::tr("The file is not equivalent to the open model.");
    case Verdict::sameUpToRounding: return QObject::tr("The file is equivalent to the open model up to rounding.");
    case Verdict::undecided: break;
    }
    return QObject::tr("Undecided: the file is not proven equivalent to the open model.");
}

QString whyOf(const VerifyReport& report)
{
    if (report.verdict == Verdict::same)
        return text(basisText(report));
    QString why = sentence(report.why);
    if (why.contains(QLatin1String("first")) || why.contains(QLatin1String("second")))
        why += QObject::tr(" (The first program is the open model, the second is the file.)");
    return why;
}

} // namespace

Result<DiskComparison> compareModelWithDisk(const SnapshotPtr& open, const QString& path, const QString& program,
                                            ProgressMonitor& monitor)
{
    SUNDER_TRY(Program now, readModel(path.toStdString(), {.model = program.toStdString()}, monitor));
    now.operators = open->program.operators;
    const SourceFile* opened = open->program.origin.opened.get();
    const bool isLost = opened != nullptr && !opened->checkUnchanged();
    const StoredContents contents;
    SUNDER_TRY(const VerifyReport report,
               verify(open->program, now,
                      {.contents = isLost ? nullptr : &contents,
                       .whyNames = "the file of the open model was overwritten, with its weights"},
                      monitor));
    const WeightChanges weights = weightChanges(open->program.tensors, now.tensors);
    QStringList details{whyOf(report)};
    if (const std::size_t before = open->program.nodeCount(); before != now.nodeCount())
        details << QObject::tr("The file has %1, the open model %2.")
                       .arg(countText(now.nodeCount(), "node"), text(formatCount(static_cast<std::uint64_t>(before))));
    if (const QString changed = textOf(weights); report.basis != VerdictBasis::contents && !changed.isEmpty())
        details << changed;
    return DiskComparison{.summary = verdictOf(report, weights), .details = details.join(QLatin1String("\n\n"))};
}

Result<DiskComparison> compareTagsWithDisk(const SnapshotPtr& open, const TagState& state, const QString& path)
{
    SUNDER_TRY(const LoadedTags loaded, loadTagsFile(path, *open));
    const auto nameOf = [](const TagAssignment& tags, NodeId id) {
        const std::int32_t tag = id.index() < tags.tagOf.size() ? tags[id] : TagAssignment::kUntagged;
        return tag == TagAssignment::kUntagged ? QObject::tr("no tag") : text(tags.order[static_cast<std::size_t>(tag)]);
    };
    std::size_t changed = 0;
    std::map<std::pair<QString, QString>, QStringList> names; // names of ops by their tag here and in the file
    for (const NodeId id : open->graph().nodes()) {
        if (!open->isCall(id))
            continue;
        const QString mine = nameOf(state.tags, id);
        const QString theirs = nameOf(loaded.tags, id);
        if (mine == theirs)
            continue;
        ++changed;
        names[{mine, theirs}] << text(open->graph()[id].name);
    }
    QStringList lines;
    for (const auto& [tags, ops] : names)
        lines << QObject::tr("%1 in the window, %2 in the file: %3")
                     .arg(tags.first, tags.second, listed(ops, QStringLiteral(", ")));
    const bool isOrdered = state.tags.order == loaded.tags.order;
    DiskComparison found;
    if (lines.isEmpty())
        found.summary = isOrdered ? QObject::tr("Every op has the same tag as in the window.")
                                  : QObject::tr("Every op has the same tag as in the window, but the order of tags differs.");
    else
        found.summary = QObject::tr("%1 another tag in the file.")
                            .arg(countText(changed, "op") + (changed == 1 ? QObject::tr(" has") : QObject::tr(" have")));
    found.details = listed(lines, QStringLiteral("\n"));
    if (!loaded.note.isEmpty())
        found.details += QLatin1Char('\n') + loaded.note;
    return found;
}

} // namespace sunder
