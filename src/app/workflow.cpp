#include "app/workflow.h"

#include "document/runs/make_runs.h"
#include "document/text.h"
#include "models/duration_text.h"
#include "support/format.h"
#include "support/sha256.h"
#include "text/amounts.h"

#include <QElapsedTimer>
#include <QFileInfo>

namespace sunder {

Workflow::Workflow(Document& document, Jobs& jobs, QObject* parent)
    : QObject(parent), m_document(document), m_jobs(jobs)
{
}

void Workflow::openModelFile(const QString& path, const QString& program)
{
    const QString file = QFileInfo(path).fileName();
    QElapsedTimer clock;
    clock.start();
    m_jobs.start<OpenedModel>(
        {.key = QStringLiteral("read"), .title = tr("Read %1").arg(file)},
        [path, program, operators = m_operators](ProgressMonitor& monitor) { return openModel(path, program, operators, monitor); },
        this,
        [this, path, file, clock](Result<OpenedModel> opened) {
            if (opened && !opened->model.snapshot) {
                emit programWanted(path, opened->programs);
            } else if (opened) {
                takeModel(std::move(*opened), path);
                const QString took = durationText(static_cast<double>(clock.elapsed()) / 1000);
                if (const QString name = m_document.programName(); !name.isEmpty())
                    emit message(tr("Opened %1 of %2 in %3; File › Other program opens another one.").arg(name, file, took));
                else
                    emit message(tr("Opened %1 in %2.").arg(file, took));
            } else if (opened.error().code == ErrorCode::cancelled) {
                emit message(tr("%1 was not opened: cancelled.").arg(file));
            } else {
                emit openFailed(path, text(describe(opened.error())));
            }
        });
}

void Workflow::takeModel(OpenedModel opened, const QString& path)
{
    m_tagsHash = opened.tagsHash;
    m_document.open(std::move(opened.model), path);
    if (const QString tags = m_document.tagsPath(); !tags.isEmpty())
        emit message(tr("Took the tags from %1, which lies beside the model.").arg(QFileInfo(tags).fileName()));
    if (!opened.tagsNote.isEmpty())
        emit message(opened.tagsNote);
    emit this->opened(path);
}

void Workflow::openTagsFile(const QString& path)
{
    if (!m_document.isOpen())
        return;
    const SnapshotPtr snapshot = m_document.snapshot();
    const QString file = QFileInfo(path).fileName();
    const bool isOwn = path == m_document.tagsPath();
    auto hash = std::make_shared<std::string>();
    m_jobs.start<LoadedTags>(
        {.key = QStringLiteral("tags"), .title = tr("Read %1").arg(file)},
        [path, snapshot, hash](ProgressMonitor&) {
            *hash = sha256OfFile(path.toStdString()).value_or(std::string());
            return loadTagsFile(path, *snapshot);
        },
        this,
        [this, path, file, snapshot, isOwn, hash](Result<LoadedTags> loaded) {
            if (!loaded) {
                emit failed(tr("The tags were not read"), text(describe(loaded.error())));
                return;
            }
            if (!m_document.isOf(snapshot))
                return;
            m_document.setTags(std::move(loaded->tags), tr("Tags from %1").arg(file), std::move(loaded->colors));
            if (isOwn) {
                m_tagsHash = *hash;
                m_document.markTagsSaved(path);
            }
            emit message(tr("Took the tags from %1. %2").arg(file, loaded->note));
        });
}

bool Workflow::saveTags(const QString& path)
{
    if (!m_document.isOpen())
        return false;
    const Result<void> saved = saveTagsFile(path, *m_document.snapshot(), m_document.tagState());
    if (!saved) {
        emit failed(tr("The tags were not saved"), text(describe(saved.error())));
        return false;
    }
    m_tagsHash = sha256OfFile(path.toStdString()).value_or(std::string());
    m_document.markTagsSaved(path);
    emit message(tr("Saved tags to %1.").arg(path));
    return true;
}

bool Workflow::tagsChangedOnDisk() const
{
    const QString path = m_document.tagsPath();
    return !path.isEmpty() && QFileInfo::exists(path) && sha256OfFile(path.toStdString()).value_or(std::string()) != m_tagsHash;
}

void Workflow::reloadModel()
{
    if (!m_document.isOpen())
        return;
    const QString path = m_document.filePath();
    const QString file = QFileInfo(path).fileName();
    m_jobs.start<OpenedModel>(
        {.key = QStringLiteral("read"), .title = tr("Read %1 again").arg(file)},
        [path, program = m_document.programName(), before = m_document.snapshot(),
         state = m_document.tagState()](ProgressMonitor& monitor) { return reopenModel(path, program, before, state, monitor); },
        this, [this, path, file, before = m_document.snapshot()](Result<OpenedModel> opened) {
            if (!m_document.isOf(before))
                return;
            if (opened && !opened->model.snapshot) {
                emit programWanted(path, opened->programs);
            } else if (opened) {
                const bool wasModified = m_document.isModified();
                opened->model.tagsPath = m_document.tagsPath();
                opened->tagsHash = m_tagsHash;
                const TagState kept = opened->model.state;
                const QString note = std::exchange(opened->tagsNote, {});
                m_tagsHash = opened->tagsHash;
                m_document.open(std::move(opened->model), path);
                if (wasModified || !note.isEmpty())
                    m_document.setTags(kept.tags, tr("Tags kept over reading the model again"), kept.colors);
                emit message(tr("Read %1 again; the tags stayed. %2").arg(file, note));
                emit this->opened(path);
            } else if (opened.error().code != ErrorCode::cancelled) {
                emit failed(tr("%1 was not read again").arg(file), text(describe(opened.error())));
            }
        });
}

void Workflow::compareWithDisk(WatchedFile what, const QString& path, std::function<Result<DiskComparison>(ProgressMonitor&)> work)
{
    const QString file = QFileInfo(path).fileName();
    m_jobs.start<DiskComparison>(
        {.key = QStringLiteral("compare with disk"), .title = tr("Compare %1 on disk").arg(file)}, std::move(work), this,
        [this, what, file](Result<DiskComparison> found) {
            if (found)
                emit compared(what, file, *found);
            else if (found.error().code != ErrorCode::cancelled)
                emit failed(tr("%1 was not compared").arg(file), text(describe(found.error())));
        });
}

void Workflow::compareModelWithDisk()
{
    if (!m_document.isOpen())
        return;
    compareWithDisk(WatchedFile::model, m_document.filePath(),
                    [snapshot = m_document.snapshot(), path = m_document.filePath(),
                     program = m_document.programName()](ProgressMonitor& monitor) {
                        return sunder::compareModelWithDisk(snapshot, path, program, monitor);
                    });
}

void Workflow::compareTagsWithDisk()
{
    if (!m_document.isOpen())
        return;
    compareWithDisk(WatchedFile::tags, m_document.tagsPath(), [snapshot = m_document.snapshot(), state = m_document.tagState(),
                                            path = m_document.tagsPath()](ProgressMonitor&) {
        return sunder::compareTagsWithDisk(snapshot, state, path);
    });
}

QString Workflow::refusal() const
{
    if (!m_document.isOpen())
        return tr("Open a model first.");
    if (m_document.isChecking())
        return {}; // the split itself will say
    const TagReport& report = m_document.report();
    QStringList reasons;
    if (report.untagged.size() == m_document.snapshot()->callCount && m_document.snapshot()->callCount > 0)
        return tr("Nothing is painted yet: choose the brush (B) and paint ops and modules with a tag, "
                  "or use Paint › Tag in equal stages.");
    if (!report.untagged.empty())
        reasons << tr("%1 without a tag").arg(countText(report.untagged.size(), "op"));
    if (!report.backward.empty())
        reasons << tr("%1 against the order of the tags")
                       .arg(report.backward.size() == 1 ? tr("1 edge runs")
                                                        : tr("%1 edges run").arg(text(formatCount(report.backward.size()))));
    return reasons.isEmpty() ? QString() : tr("Not split: %1.").arg(reasons.join(tr(", and ")));
}

void Workflow::split(const SplitOptions& options)
{
    if (const QString why = refusal(); !why.isEmpty()) {
        emit splitRefused(why);
        return;
    }
    start<SplitOutcomePtr>(
        {.key = QStringLiteral("split"), .title = tr("Split by tags and verify")},
        [tags = m_document.tags(), options](const SnapshotPtr& source, ProgressMonitor& monitor) {
            return makeSplit(source, tags, options, monitor);
        },
        [this](const QString& why) { emit splitRefused(tr("Not split: %1").arg(why)); });
}

void Workflow::partition(const PartitionRequest& request)
{
    start<SplitOutcomePtr>(
        {.key = QStringLiteral("partition"), .title = tr("Partition and verify")},
        [request](const SnapshotPtr& source, ProgressMonitor& monitor) { return makePartition(source, request, monitor); },
        [this](const QString& why) { emit failed(tr("The model was not partitioned"), why); });
}

void Workflow::unflatten(const UnflattenOptions& options)
{
    start<UnflattenOutcomePtr>(
        {.key = QStringLiteral("unflatten"), .title = tr("Unflatten and verify")},
        [options](const SnapshotPtr& source, ProgressMonitor& monitor) {
            return makeUnflattened(source, options, monitor);
        },
        [this](const QString& why) { emit failed(tr("The model was not unflattened"), why); });
}

void Workflow::findRegions(const RegionOptions& options, bool share)
{
    start<RegionsOutcomePtr>(
        {.key = QStringLiteral("regions"), .title = share ? tr("Deduplicate and verify") : tr("Find repeated regions")},
        [options, share](const SnapshotPtr& source, ProgressMonitor& monitor) {
            return share ? makeDeduplicated(source, options, monitor) : makeRegions(source, options, monitor);
        },
        [this](const QString& why) { emit failed(tr("No repeated regions were found"), why); });
}

/// A pass as a job: its result becomes a run, unless another model was opened meanwhile.
template <typename T>
void Workflow::start(const JobSpec& spec, std::function<Result<T>(const SnapshotPtr&, ProgressMonitor&)> make,
                     std::function<void(const QString&)> refused)
{
    if (!m_document.isOpen())
        return;
    m_jobs.start<T>(
        spec, [snapshot = m_document.snapshot(), make = std::move(make)](ProgressMonitor& monitor) { return make(snapshot, monitor); },
        this,
        [this, snapshot = m_document.snapshot(), title = spec.title, refused = std::move(refused)](Result<T> made) {
            if (!m_document.isOf(snapshot))
                return;
            if (made) {
                reportRun(m_document.addRun(std::move(*made)));
            } else if (made.error().code == ErrorCode::cancelled) {
                emit message(tr("%1: cancelled.").arg(title));
            } else {
                refused(text(describe(made.error())));
            }
        });
}

void Workflow::reportRun(int number)
{
    const Run& run = *m_document.run(number);
    const Outcome& about = aboutOf(run);
    const QString what = tr("%1: %2 in %3").arg(passOf(run), outcomeOf(run), durationText(about.passSeconds));
    if (!isVerified(run)) {
        emit message(what + QLatin1Char('.'));
        return;
    }
    const QString verdict = textOf(about.report.verdict);
    emit message(tr("%1, verified in %2: %3")
                     .arg(what, durationText(about.verifySeconds),
                          about.isProven() ? tr("%1.").arg(verdict) : tr("%1. %2").arg(verdict, sentence(about.report.why))));
    if (const QString hint = hintOf(about.report); !hint.isEmpty())
        emit message(hint);
}

void Workflow::tagInStages(int count, bool byBytes)
{
    m_document.tagInStages(count, byBytes ? StageMeasure::bytes : StageMeasure::nodes, [this](const Error& error) {
        emit failed(tr("No stages were made"), text(describe(error)));
    });
}

} // namespace sunder
