// Workflow functions that open and save projects.
#include "app/workflow.h"

#include "document/tag_transfer.h"
#include "document/text.h"
#include "models/duration_text.h"
#include "support/sha256.h"

#include <QElapsedTimer>
#include <QFileInfo>

namespace sunder {
namespace {

QString stillUnsaved()
{
    return QObject::tr(
        "Your changes are still here, unsaved. Save under another name or in another folder, or make room or allow "
        "writing there and save again.");
}

} // namespace

void Workflow::openProjectFile(const QString& path, const QString& modelInstead)
{
    const QString file = QFileInfo(path).fileName();
    auto hash = std::make_shared<std::string>();
    QElapsedTimer clock;
    clock.start();
    m_jobs.start<OpenedProject>(
        {.key = QStringLiteral("read"), .title = tr("Read %1").arg(file)},
        [path, modelInstead, hash, operators = m_operators](ProgressMonitor& monitor) {
            *hash = sha256OfFile(path.toStdString()).value_or(std::string());
            return openProject(path, modelInstead, operators, monitor);
        },
        this,
        [this, path, file, hash, clock](Result<OpenedProject> project) {
            if (!project) {
                if (isFault(project.error()))
                    emit openFailed(path, text(describe(project.error())));
            } else if (project->model.isEmpty()) {
                emit sourceMissing(path, text(project->file.source.absolute));
            } else if (!project->opened.model.snapshot) {
                emit openFailed(path,
                                tr("%2 no longer contains the program %1.")
                                    .arg(text(project->file.source.program), QFileInfo(project->model).fileName()));
            } else {
                const bool isRecovered = project->unsaved.has_value();
                const QString what = isRecovered ? QFileInfo(project->model).fileName() : file;
                takeProject(std::move(*project), path, *hash);
                const QString took = durationText(static_cast<double>(clock.elapsed()) / 1000);
                if (isRecovered)
                    emit recovered(tr("Recovered your work on %1 in %2. It is not saved yet.").arg(what, took));
                else
                    emit message(tr("Opened %1 in %2.").arg(what, took));
            }
        });
}

void Workflow::takeProject(OpenedProject project, const QString& path, const std::string& hash)
{
    const QString own = project.opened.model.tagsPath; // empty for recovered work that was never saved as a project
    const bool isFree = own.isEmpty() || m_lock.hold(own);
    const QString since = isFree ? QString() : ProjectLock::openSince(own);
    if (!isFree)
        project.opened.model.tagsPath.clear();
    project.opened.tagsHash = own == path ? hash : sha256OfFile(own.toStdString()).value_or(std::string());
    const QString model = project.model;
    takeModel(std::exchange(project.opened, {}), model);
    if (project.recovered)
        m_document.takeRecovered(std::move(*std::exchange(project.recovered, {})));
    if (project.unsaved)
        m_document.touch(); // unlike a copy of a project that another window has open
    if (const TagTransferPtr transfer = m_document.basis().transfer)
        emit message(tr("The model has changed since the project was saved. Ops: %1.").arg(summaryOf(*transfer)));
    else if (project.change && project.change->isOfGraph)
        emit failed(
            tr("The model has changed"),
            tr("%1 is not the model that the project was saved for: %2. Nodes with unchanged names keep their tags; check "
               "them before you continue.")
                .arg(QFileInfo(model).fileName(), text(project.change->text)));
    else if (project.change)
        emit message(tr("The model has changed since the project was saved: %1.").arg(text(project.change->text)));
    emit projectOpened(path, std::make_shared<const OpenedProject>(std::move(project)));
    if (!isFree)
        emit openElsewhere(own, since);
}

bool Workflow::saveProject(const ProjectState& state, const QString& path)
{
    if (!m_document.isOpen())
        return false;
    const QString next = QStringLiteral("save-as");
    if (!m_lock.hold(path)) {
        emit failed(tr("The project was not saved"),
                    tr("%1 is open in another window. Save under another name.").arg(QFileInfo(path).fileName()), next);
        return false;
    }
    const Result<void> written = writeProjectFile(projectFileOf(state, path), path.toStdString());
    if (!written) {
        (void)m_lock.hold(m_document.hasProject() ? m_document.tagsPath() : QString()); // still the file of the document
        emit failed(tr("The project was not saved"), tr("%1. %2").arg(text(describe(written.error())), stillUnsaved()), next);
        return false;
    }
    m_tagsHash = sha256OfFile(path.toStdString()).value_or(std::string());
    m_document.markSaved(path);
    emit message(tr("Saved %1.").arg(path));
    emit projectSaved(path);
    return true;
}

void Workflow::takeTagsOver(const QString& path)
{
    if (!m_document.isOpen())
        return;
    const QString file = QFileInfo(path).fileName();
    m_jobs.start<TagTransferPtr>(
        {.key = QStringLiteral("tags"), .title = tr("Import tags from %1").arg(file)},
        [path, file, snapshot = m_document.snapshot()](ProgressMonitor& monitor) -> Result<TagTransferPtr> {
            SUNDER_TRY(OldTags old, readOldTags(path, monitor));
            old.from = file;
            return transferTags(std::move(old), *snapshot, monitor);
        },
        this,
        [this, file, snapshot = m_document.snapshot()](Result<TagTransferPtr> transfer) {
            if (!transfer && isFault(transfer.error()))
                emit failed(tr("The tags were not imported"), text(describe(transfer.error())),
                            QStringLiteral("take-tags-from-another-export"));
            if (!transfer || !m_document.isOf(snapshot))
                return;
            if (m_document.tagSources().takeTransfer(*transfer, tr("Import tags from %1").arg(file)).isEmpty())
                emit message(tr("Imported the tags from %1: %2.").arg(file, summaryOf(**transfer)));
        });
}

} // namespace sunder
