#include "document/disk_comparison.h"

#include "document/open_model.h"
#include "document/text.h"
#include "export/stored_contents.h"
#include "io/model_file.h"
#include "io/source_file.h"
#include "support/format.h"
#include "verify/verdict_text.h"
#include "verify/verify.h"

#include <QObject>
#include <QStringList>

#include <algorithm>

namespace sunder {

namespace {

constexpr qsizetype kShown = 6;

QString listed(QStringList lines)
{
    const qsizetype all = lines.size();
    if (all > kShown) {
        lines = lines.mid(0, kShown);
        lines << QObject::tr("and %1 more").arg(text(formatCount(static_cast<std::uint64_t>(all - kShown))));
    }
    return lines.join(QLatin1Char('\n'));
}

/// Tensors whose records have other CRCs or sizes than when they were read.
QStringList tensorsInOtherRecords(const Program& open, const Program& now)
{
    QStringList names;
    for (const TensorEntry& entry : open.tensors.entries()) {
        const TensorId other = now.tensors.find(entry.fqn);
        const StorageId mine = open.tensors[open.tensors.object(open.tensors.find(entry.fqn))].storage;
        const StorageId theirs = other.isValid() ? now.tensors[now.tensors.object(other)].storage : StorageId();
        if (!mine.isValid() || !theirs.isValid())
            continue;
        const Storage& a = open.tensors[mine];
        const Storage& b = now.tensors[theirs];
        if (a.placeExtra != b.placeExtra || a.byteCount != b.byteCount)
            names << text(entry.fqn);
    }
    return names;
}

QString verdictOf(const VerifyReport& report)
{
    switch (report.verdict) {
    case Verdict::same: return report.basis == VerdictBasis::contents ? QObject::tr("It is the same model.")
                                                                      : QObject::tr("It is the same graph.");
    case Verdict::different: return QObject::tr("It computes something else.");
    case Verdict::undecided: break;
    }
    return QObject::tr("It is not proven to compute the same.");
}

} // namespace

Result<DiskComparison> compareModelWithDisk(const SnapshotPtr& open, const QString& path, const QString& program,
                                            ProgressMonitor& monitor)
{
    const Result<Program> now = readModel(path.toStdString(), {.model = program.toStdString()}, monitor);
    if (!now)
        return forward(now);
    const SourceFile* opened = open->program.origin.opened.get();
    const bool isLost = opened != nullptr && !opened->checkUnchanged();
    const StoredContents contents;
    const Result<VerifyReport> report =
        verify(open->program, *now,
               {.contents = isLost ? nullptr : &contents, .whyNames = "what is open was overwritten, and its weights with it"},
               monitor);
    if (!report)
        return forward(report);
    DiskComparison found{.summary = verdictOf(*report),
                         .details = report->verdict == Verdict::same ? text(basisText(*report)) : sentence(report->why)};
    const std::size_t before = open->program.nodeCount();
    if (before != now->nodeCount())
        found.details += QObject::tr("\n\nIt has %1, what is open has %2.")
                             .arg(text(formatCount(now->nodeCount(), "node")), text(formatCount(before)));
    if (!isLost)
        return found;
    const QStringList others = tensorsInOtherRecords(open->program, *now);
    if (others.isEmpty())
        found.details += QObject::tr("\n\nBy their CRCs, all weights are what they were.");
    else
        found.details += QObject::tr("\n\nBy their CRCs, these hold other values:\n%1").arg(listed(others));
    if (!others.isEmpty() && report->verdict == Verdict::same)
        found.summary = QObject::tr("It is the same graph with other weights.");
    return found;
}

Result<DiskComparison> compareTagsWithDisk(const SnapshotPtr& open, const TagState& state, const QString& path)
{
    const Result<LoadedTags> loaded = loadTagsFile(path, *open);
    if (!loaded)
        return forward(loaded);
    const auto nameOf = [](const TagAssignment& tags, NodeId id) {
        const std::int32_t tag = id.index() < tags.tagOf.size() ? tags[id] : TagAssignment::kUntagged;
        return tag == TagAssignment::kUntagged ? QObject::tr("no tag") : text(tags.order[static_cast<std::size_t>(tag)]);
    };
    QStringList lines;
    for (const NodeId id : open->graph().nodes()) {
        if (!open->isCall(id))
            continue;
        const QString mine = nameOf(state.tags, id);
        const QString theirs = nameOf(loaded->tags, id);
        if (mine != theirs)
            lines << QObject::tr("%1: %2 here, %3 in the file").arg(text(open->graph()[id].name), mine, theirs);
    }
    const bool isOrdered = state.tags.order == loaded->tags.order;
    DiskComparison found;
    if (lines.isEmpty())
        found.summary = isOrdered ? QObject::tr("Every op has the tag that it has here.")
                                  : QObject::tr("Every op has the tag that it has here; the order of tags is another.");
    else
        found.summary = QObject::tr("%1 another tag.").arg(text(formatCount(static_cast<std::uint64_t>(lines.size()), "op"))
                                                            + (lines.size() == 1 ? QObject::tr(" has") : QObject::tr(" have")));
    found.details = listed(lines);
    if (!loaded->note.isEmpty())
        found.details += QLatin1Char('\n') + loaded->note;
    return found;
}

} // namespace sunder
