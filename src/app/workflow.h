#pragma once

#include "document/disk_comparison.h"
#include "document/document.h"
#include "document/open_model.h"
#include "document/open_project.h"
#include "document/passes/pass.h"
#include "document/project_state.h"
#include "document/runs/partition_request.h"
#include "jobs/jobs.h"
#include "support/file.h"

#include <QObject>
#include <QString>

#include <functional>
#include <memory>
#include <optional>

namespace sunder {

/// Lock on the open project, so that other windows, also in other processes, can detect it.
class ProjectLock final {
public:
    /// Locks this project and releases the previous one; an empty path only releases. Returns false and keeps the previous lock
    /// if another window holds the project. If lock files cannot be created, succeeds without a lock.
    [[nodiscard]] bool hold(const QString& project);
    /// Returns the time of day when another window opened the project; empty if none did.
    [[nodiscard]] static QString openSince(const QString& project);

private:
    QString m_project;
    std::optional<FileLock> m_lock;
};

/// Operations on a model, from opening it to its results. Long work runs in jobs; each operation reports its end with a message.
class Workflow final : public QObject {
    Q_OBJECT

public:
    Workflow(Document& document, Jobs& jobs, QObject* parent = nullptr);

    /// Reads a model. The open model stays until then, and also on failure. `program` selects a program of a file that holds
    /// several.
    void openModelFile(const QString& path, const QString& program = {});
    /// Reads a project and its model. `modelInstead` is the path of the model if the project's path is wrong.
    void openProjectFile(const QString& path, const QString& modelInstead = {});
    /// Writes the project, which becomes the file of the document. Returns false on failure.
    bool saveProject(const ProjectState& state, const QString& path);
    /// Sets the schemas of custom operators for models opened later; may be null.
    void setOperators(std::shared_ptr<const OperatorLibrary> operators) { m_operators = std::move(operators); }
    /// Replaces the tags by those of a file. Undoable.
    void openTagsFile(const QString& path);
    /// Does the same with the tags file of the last session, which stays the file to save to.
    void resumeTagsFile(const QString& path);
    /// Transfers tags from another export, a model or project, by op structure. Undoable.
    void takeTagsOver(const QString& path);
    bool saveTags(const QString& path);
    /// Reloads the open model and keeps matching tags. Undoable. Asks first with lossAsked() if more than a few tagged ops are
    /// gone.
    void reloadModel();
    /// Compares the model file or tags file with the open document; the result is compared().
    void compareModelWithDisk();
    void compareTagsWithDisk();
    /// Returns the SHA-256 of the tags file as last read or saved; empty if there is none.
    [[nodiscard]] const std::string& tagsHash() const { return m_tagsHash; }
    /// Returns whether another program has changed the tags file since.
    [[nodiscard]] bool tagsChangedOnDisk() const;
    /// Runs a pass with these options and verifies the result. If the pass refuses, reports why.
    void run(const Pass& pass, const PassOptions& options);
    /// Runs the pass with this id, which must exist.
    void run(const QString& id, const PassOptions& options = {}) { run(*findPass(id), options); }
    /// Runs the partition pass, whose input is more than its options.
    void partition(const PartitionRequest& request);

    [[nodiscard]] bool isReading() const { return m_jobs.isRunning(QStringLiteral("read")); }

signals:
    void opened(const QString& path);
    /// Emitted if a file holds several programs and the user must choose one.
    void programWanted(const QString& path, const std::vector<sunder::Pt2ProgramEntry>& programs);
    /// Emitted when a project and its model are open, to restore the state that the document does not hold.
    void projectOpened(const QString& path, const std::shared_ptr<const sunder::OpenedProject>& project);
    void projectSaved(const QString& path);
    /// Reports that unsaved work of an earlier session was opened.
    void recovered(const QString& text);
    /// Emitted if the model of a project is not at `model`.
    void sourceMissing(const QString& path, const QString& model);
    /// Emitted if another window has had the project open since that time; this window has an unsaved copy.
    void openElsewhere(const QString& path, const QString& since);
    /// Reports that the model at `path` could not be read, with a reason on one line.
    void openFailed(const QString& path, const QString& why);
    /// Emitted if a run ended that was started before the current sizes or operator schemas were set.
    void madeOfEarlier();
    /// Emitted if a split was refused; the problems have details.
    void splitRefused(const QString& why);
    /// Emits a message for the status bar and the log.
    void message(const QString& text);
    /// Emitted if the reloaded file lacks `lost` of the `tagged` ops; `take` accepts it anyway.
    void lossAsked(std::size_t lost, std::size_t tagged, const std::function<void()>& take);
    /// Reports how a file on disk (its name is `name`) differs from the open document.
    void compared(sunder::WatchedFile file, const QString& name, const sunder::DiskComparison& found);
    /// Reports an error for a dialog. `next` is the action name of a command that may help; may be empty.
    void failed(const QString& title, const QString& why, const QString& next = {});

private:
    void readTags(const QString& path, bool isOwn);
    void start(const Pass& pass, PassWork work);
    void take(const Pass& pass, const RunResult& result);
    void refuse(const Pass& pass, const QString& why, const QString& toProblems);
    void takeProject(OpenedProject project, const QString& path, const std::string& hash);
    void takeModel(OpenedModel opened, const QString& path);
    void offerReloaded(const std::shared_ptr<OpenedModel>& opened, const SnapshotPtr& before, const TagAssignment& tags);
    void takeReloaded(OpenedModel opened);
    void reportRun(int number);
    void compareWithDisk(WatchedFile what, const QString& path, std::function<Result<DiskComparison>(ProgressMonitor&)> work);

    Document& m_document;
    Jobs& m_jobs;
    std::string m_tagsHash;
    ProjectLock m_lock;
    std::shared_ptr<const OperatorLibrary> m_operators;
};

} // namespace sunder
