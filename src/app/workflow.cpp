#include "app/workflow.h"

#include "app/cache_places.h"
#include "diagnostics/logging.h"
#include "document/runs/make_runs.h"
#include "document/tag_transfer.h"
#include "document/text.h"
#include "models/duration_text.h"
#include "support/format.h"
#include "support/sha256.h"
#include "text/amounts.h"
#include "text/shown_text.h"

#include <QDateTime>
#include <QDir>
#include <QElapsedTimer>
#include <QFileInfo>
#include <QLocale>

#include <algorithm>

namespace sunder {

Workflow::Workflow(Document& document, Jobs& jobs, QObject* parent) : QObject(parent), m_document(document), m_jobs(jobs)
{
    connect(&document, &Document::changed, this, [this](Changes what) {
        if (what.testFlag(Change::program) && !m_document.hasProject())
            (void)m_lock.hold({});
    });
}

void Workflow::openModelFile(const QString& path, const QString& program)
{
    const QString file = QFileInfo(path).fileName();
    QElapsedTimer clock;
    clock.start();
    m_jobs.start<OpenedModel>(
        {.key = QStringLiteral("read"), .title = tr("Read %1").arg(file)},
        [path, program, operators = m_operators](ProgressMonitor& monitor) {
            return openModel(path, program, operators, monitor);
        },
        this,
        [this, path, file, clock](Result<OpenedModel> opened) {
            if (opened && !opened->model.snapshot) {
                emit programWanted(path, opened->programs);
            } else if (opened) {
                takeModel(std::move(*opened), path);
                const QString took = durationText(static_cast<double>(clock.elapsed()) / 1000);
                if (const QString name = m_document.programName(); !name.isEmpty())
                    emit message(tr("Opened %1 of %2 in %3; to open another one, choose File › Open another program…")
                                     .arg(name, file, took));
                else
                    emit message(tr("Opened %1 in %2.").arg(file, took));
            } else if (isFault(opened.error())) {
                emit openFailed(path, text(describe(opened.error())));
            }
        });
}

void Workflow::takeModel(OpenedModel opened, const QString& path)
{
    m_tagsHash = opened.tagsHash;
    m_document.open(std::move(opened.model), path);
    if (const QString tags = m_document.tagsPath(); !tags.isEmpty() && !m_document.hasProject())
        emit message(tr("Loaded the tags in %1 next to the model.").arg(QFileInfo(tags).fileName()));
    if (!opened.tagsNote.isEmpty())
        emit message(opened.tagsNote);
    emit this->opened(path);
}

void Workflow::openTagsFile(const QString& path)
{
    if (isProject(path) && path != m_document.tagsPath()) { // a project records the identities of its ops
        takeTagsOver(path);
        return;
    }
    readTags(path, path == m_document.tagsPath());
}

void Workflow::resumeTagsFile(const QString& path)
{
    readTags(path, true);
}

void Workflow::readTags(const QString& path, bool isOwn)
{
    if (!m_document.isOpen())
        return;
    const SnapshotPtr snapshot = m_document.snapshot();
    const QString file = QFileInfo(path).fileName();
    auto hash = std::make_shared<std::string>();
    m_jobs.start<LoadedTags>(
        {.key = QStringLiteral("tags"), .title = tr("Read %1").arg(file)},
        [path, snapshot, hash](ProgressMonitor&) {
            *hash = sha256OfFile(path.toStdString()).value_or(std::string());
            return loadTagsFile(path, *snapshot);
        },
        this,
        [this, path, file, snapshot, isOwn, hash](Result<LoadedTags> loaded) {
            if (!loaded && isFault(loaded.error()))
                emit failed(tr("The tags were not read"), text(describe(loaded.error())),
                            QStringLiteral("take-tags-from-a-file"));
            if (!loaded || !m_document.isOf(snapshot))
                return;
            const QString undoText = tr("Import tags from %1").arg(file);
            if (const QString why = m_document.tagSources().setTags(std::move(loaded->tags), undoText, std::move(loaded->traits));
                !why.isEmpty()) {
                emit failed(tr("The tags were not imported"), why);
                return;
            }
            if (isOwn) {
                m_tagsHash = *hash;
                m_document.markSaved(path);
            }
            emit message(tr("Imported the tags from %1. %2").arg(file, loaded->note));
        });
}

bool Workflow::saveTags(const QString& path)
{
    if (!m_document.isOpen())
        return false;
    const Result<void> saved = saveTagsFile(path, *m_document.snapshot(), m_document.tagState());
    if (!saved) {
        emit failed(tr("The tags were not saved"), text(describe(saved.error())), QStringLiteral("export-tags"));
        return false;
    }
    if (!m_document.hasProject()) { // a project file holds the tags itself
        m_tagsHash = sha256OfFile(path.toStdString()).value_or(std::string());
        m_document.markSaved(path);
    }
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
        {.key = QStringLiteral("read"), .title = tr("Reload %1").arg(file)},
        [path, program = m_document.programName(), before = m_document.snapshot(), state = m_document.tagState(),
         basis = m_document.basis()](ProgressMonitor& monitor) {
            return reopenModel(path, program, before, state, basis, monitor);
        },
        this,
        [this, path, file, before = m_document.snapshot(), tags = m_document.tags()](Result<OpenedModel> opened) {
            if (!m_document.isOf(before))
                return;
            if (opened && !opened->model.snapshot)
                emit programWanted(path, opened->programs);
            else if (opened)
                offerReloaded(std::make_shared<OpenedModel>(std::move(*opened)), before, tags);
            else if (isFault(opened.error()))
                emit failed(tr("%1 was not reloaded").arg(file), text(describe(opened.error())));
        });
}

/// `tags` are the tags that were transferred to the reloaded model.
void Workflow::offerReloaded(const std::shared_ptr<OpenedModel>& opened, const SnapshotPtr& before, const TagAssignment& tags)
{
    constexpr std::size_t kFew = 5;
    const auto take = [this, opened, before, tags] {
        if (!m_document.isOf(before))
            return;
        if (m_document.tags().order == tags.order && m_document.tags().tagOf == tags.tagOf)
            takeReloaded(std::move(*opened));
        else
            reloadModel(); // a stroke changed the tags meanwhile
    };
    const TagTransfer& transfer = *opened->model.basis.transfer;
    const std::size_t lost = lostTagCount(transfer);
    if (lost > kFew)
        emit lossAsked(lost, static_cast<std::size_t>(std::ranges::count_if(transfer.oldTags, [](int tag) { return tag >= 0; })),
                       take);
    else
        take();
}

void Workflow::takeReloaded(OpenedModel opened)
{
    const QString file = QFileInfo(m_document.filePath()).fileName();
    const TagTransferPtr transfer = opened.model.basis.transfer;
    m_document.takeReloaded(std::move(opened.model), tr("Reload %1").arg(file));
    QString what = transfer->isPlain() ? tr("Reloaded %1; the tags are unchanged.").arg(file)
                                       : tr("Reloaded %1; ops: %2.").arg(file, summaryOf(*transfer));
    if (!opened.tagsNote.isEmpty())
        what += QLatin1Char(' ') + opened.tagsNote;
    emit message(what);
}

void Workflow::compareWithDisk(WatchedFile what, const QString& path,
                               std::function<Result<DiskComparison>(ProgressMonitor&)> work)
{
    const QString file = QFileInfo(path).fileName();
    m_jobs.start<DiskComparison>({.key = QStringLiteral("compare with disk"), .title = tr("Compare with %1 on disk").arg(file)},
                                 std::move(work), this, [this, what, file](Result<DiskComparison> found) {
                                     if (found)
                                         emit compared(what, file, *found);
                                     else if (isFault(found.error()))
                                         emit failed(tr("%1 was not compared").arg(file), text(describe(found.error())));
                                 });
}

void Workflow::compareModelWithDisk()
{
    if (!m_document.isOpen())
        return;
    compareWithDisk(WatchedFile::model, m_document.filePath(),
                    [snapshot = m_document.snapshot(), path = m_document.filePath(), program = m_document.programName()](
                        ProgressMonitor& monitor) { return sunder::compareModelWithDisk(snapshot, path, program, monitor); });
}

void Workflow::compareTagsWithDisk()
{
    if (!m_document.isOpen())
        return;
    compareWithDisk(WatchedFile::tags, m_document.tagsPath(),
                    [snapshot = m_document.snapshot(), state = m_document.tagState(), path = m_document.tagsPath()](
                        ProgressMonitor&) { return sunder::compareTagsWithDisk(snapshot, state, path); });
}

void Workflow::run(const Pass& pass, const PassOptions& options)
{
    if (!m_document.isOpen())
        return;
    if (pass.takesTags)
        m_document.checks().askForSplit();
    if (const QString why = pass.refusal == nullptr ? QString() : pass.refusal(m_document); !why.isEmpty()) {
        refuse(pass, why, why);
        return;
    }
    Result<PassWork> work = pass.work(m_document, options);
    if (work)
        start(pass, std::move(*work));
    else
        refuse(pass, sentence(work.error().message), sentence(work.error().message));
}

void Workflow::partition(const PartitionRequest& request)
{
    if (m_document.isOpen())
        start(*findPass(QStringLiteral("partition")), [request](const SnapshotPtr& source, ProgressMonitor& monitor) {
            return asResult(makePartition(source, request, monitor));
        });
}

/// Runs a pass in a job. Its result becomes a run unless another model was opened meanwhile.
void Workflow::start(const Pass& pass, PassWork work)
{
    m_jobs.start<RunResult>(
        {.key = pass.job, .title = pass.jobTitle},
        [snapshot = m_document.snapshot(), work = std::move(work)](ProgressMonitor& monitor) { return work(snapshot, monitor); },
        this,
        [this, snapshot = m_document.snapshot(), &pass](Result<RunResult> made) {
            if (!m_document.isOf(snapshot))
                return;
            if (made) {
                take(pass, *made);
                if (m_document.snapshot() != snapshot)
                    emit madeOfEarlier();
            } else if (isFault(made.error())) {
                const QString why = text(describe(made.error()));
                refuse(pass, why, tr("Cannot split: %1").arg(why));
            }
        });
}

void Workflow::take(const Pass& pass, const RunResult& result)
{
    reportRun(m_document.runs().add(result));
    const QString taken = pass.takeOver == nullptr ? QString() : pass.takeOver(m_document, result);
    if (!taken.isEmpty())
        emit message(taken);
}

/// `toProblems` is the message if tag problems are the reason.
void Workflow::refuse(const Pass& pass, const QString& why, const QString& toProblems)
{
    if (pass.refused.isEmpty())
        emit splitRefused(toProblems);
    else
        emit failed(pass.refused, why, pass.id);
}

void Workflow::reportRun(int number)
{
    const Run& run = *m_document.runs().find(number);
    const Outcome& about = *run.result;
    const QString what = tr("%1: %2 in %3").arg(passOf(run), outcomeOf(run), durationText(about.passSeconds));
    qCInfo(logRuns, "%s", qUtf8Printable(what));
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

namespace {

/// Returns the lock file of a project; the same for all paths to it.
QString lockPathOf(const QString& project)
{
    const QFileInfo file(project);
    const QString folder = QFileInfo(file.absolutePath()).canonicalFilePath();
    const QString whole = file.exists() ? file.canonicalFilePath() : folder + QLatin1Char('/') + file.fileName();
    return cacheFolder(QStringLiteral("projects")) + QLatin1Char('/') + text(sha256(whole.toStdString()))
        + QStringLiteral(".lock");
}

} // namespace

bool ProjectLock::hold(const QString& project)
{
    if (project == m_project)
        return true;
    if (project.isEmpty()) {
        m_lock.reset();
        m_project.clear();
        return true;
    }
    Result<FileLock> lock = FileLock::take(lockPathOf(project).toStdString());
    if (!lock && lock.error().code == ErrorCode::refused)
        return false;
    m_project = project;
    m_lock.reset();
    if (lock) {
        lock->note(QDateTime::currentDateTime().toString(Qt::ISODate).toStdString());
        m_lock = std::move(*lock);
    }
    return true;
}

QString ProjectLock::openSince(const QString& project)
{
    const QDateTime when = QDateTime::fromString(text(FileLock::noteAt(lockPathOf(project).toStdString())), Qt::ISODate);
    return when.isValid() ? QLocale().toString(when, QLocale::ShortFormat) : QString();
}

} // namespace sunder

#include "moc_workflow.cpp"
