#include "app/workflow.h"

#include "document/make_split.h"
#include "document/text.h"
#include "support/format.h"

#include <QElapsedTimer>
#include <QFileInfo>

namespace sunder {

namespace {

QString seconds(double value)
{
    return value < 1 ? QObject::tr("%1 ms").arg(value * 1000, 0, 'f', value < 0.01 ? 1 : 0)
                     : QObject::tr("%1 s").arg(value, 0, 'f', 1);
}

} // namespace

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
        [path, program](ProgressMonitor& monitor) { return openModel(path, program, monitor); }, this,
        [this, path, file, clock](Result<OpenedModel> opened) {
            if (opened && !opened->model.snapshot) {
                emit programWanted(path, opened->programs);
            } else if (opened) {
                takeModel(std::move(*opened), path);
                const QString took = seconds(static_cast<double>(clock.elapsed()) / 1000);
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
    m_jobs.start<LoadedTags>(
        {.key = QStringLiteral("tags"), .title = tr("Read %1").arg(file)},
        [path, snapshot](ProgressMonitor&) { return loadTagsFile(path, *snapshot); }, this,
        [this, file, snapshot](Result<LoadedTags> loaded) {
            if (!loaded) {
                emit failed(tr("The tags were not read"), text(describe(loaded.error())));
                return;
            }
            if (snapshot != m_document.snapshot())
                return;
            m_document.setTags(std::move(loaded->tags), tr("Tags from %1").arg(file), std::move(loaded->colors));
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
    m_document.markTagsSaved(path);
    emit message(tr("Saved tags to %1.").arg(path));
    return true;
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
        reasons << tr("%1 without a tag").arg(text(formatCount(report.untagged.size(), "op")));
    if (!report.backward.empty())
        reasons << tr("%1 against the order of the tags")
                       .arg(report.backward.size() == 1 ? tr("1 edge runs")
                                                        : tr("%1 edges run").arg(text(formatCount(report.backward.size()))));
    return reasons.isEmpty() ? QString() : tr("Not split: %1.").arg(reasons.join(tr(", and ")));
}

void Workflow::split()
{
    if (const QString why = refusal(); !why.isEmpty()) {
        emit splitRefused(why);
        return;
    }
    const SnapshotPtr snapshot = m_document.snapshot();
    const TagAssignment tags = m_document.tags();
    m_jobs.start<SplitOutcomePtr>(
        {.key = QStringLiteral("split"), .title = tr("Split by tags and verify")},
        [snapshot, tags](ProgressMonitor& monitor) { return makeSplit(snapshot, tags, monitor); }, this,
        [this, snapshot](Result<SplitOutcomePtr> outcome) {
            if (snapshot != m_document.snapshot())
                return;
            if (!outcome) {
                if (outcome.error().code == ErrorCode::cancelled)
                    emit message(tr("The split was cancelled."));
                else
                    emit splitRefused(tr("Not split: %1").arg(text(describe(outcome.error()))));
                return;
            }
            m_document.addRun(std::move(*outcome));
            reportSplit();
            emit splitDone();
        });
}

void Workflow::reportSplit()
{
    const SplitOutcome& outcome = *m_document.outcome();
    const QString how = outcome.isProven() ? tr("proven equal.")
        : outcome.report.verdict == Verdict::different
        ? tr("NOT equal. %1").arg(sentence(outcome.report.why))
        : tr("not proven. %1").arg(sentence(outcome.report.why));
    emit message(tr("Split into %1 in %2, verified in %3: %4")
                     .arg(text(formatCount(outcome.split.parts.size(), "part")), seconds(outcome.splitSeconds),
                          seconds(outcome.verifySeconds), how));
}

void Workflow::tagInStages(int count, bool byBytes)
{
    m_document.tagInStages(count, byBytes ? StageMeasure::bytes : StageMeasure::nodes, [this](const Error& error) {
        emit failed(tr("No stages were made"), text(describe(error)));
    });
}

} // namespace sunder
