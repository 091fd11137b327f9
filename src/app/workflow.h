#pragma once

#include "app/project_lock.h"
#include "document/disk_comparison.h"
#include "document/document.h"
#include "document/open_model.h"
#include "document/open_project.h"
#include "document/passes/pass.h"
#include "document/project_state.h"
#include "document/runs/partition_request.h"
#include "jobs/jobs.h"

#include <QObject>

#include <functional>
#include <memory>

namespace sunder {

/// What one does with a model from opening to parts on disk: each step a job in the background, its end said in words.
class Workflow final : public QObject {
    Q_OBJECT

public:
    Workflow(Document& document, Jobs& jobs, QObject* parent = nullptr);

    /// Reads a model; the open one stays until it is there, and stays for good when it cannot be read. `program`: which
    /// one of a file that holds several.
    void openModelFile(const QString& path, const QString& program = {});
    /// Reads a project and its model. `modelInstead`: where that lies, where the project does not know.
    void openProjectFile(const QString& path, const QString& modelInstead = {});
    /// Writes the project, which is then the file of the document. False when it was not written.
    bool saveProject(const ProjectState& state, const QString& path);
    /// Schemas of custom operators for models that are opened from now on; null for none.
    void setOperators(std::shared_ptr<const OperatorLibrary> operators) { m_operators = std::move(operators); }
    /// Takes over a tags file; undoable.
    void openTagsFile(const QString& path);
    /// The same of the file to which they were saved last, and are to be saved again.
    void resumeTagsFile(const QString& path);
    /// The tags of another export, a model or a project, by what its ops are; undoable.
    void takeTagsOver(const QString& path);
    bool saveTags(const QString& path);
    /// Reads the model that is open again; tags stay, as far as they fit. A step of undo. Where more than a few ops with a tag are
    /// gone, that is asked first: lossAsked().
    void reloadModel();
    /// Says how the file of the model, or of its tags, differs from what is open: compared().
    void compareModelWithDisk();
    void compareTagsWithDisk();
    /// SHA-256 of the tags file as it was read or saved last; empty when there is none.
    [[nodiscard]] const std::string& tagsHash() const { return m_tagsHash; }
    /// Whether somebody else has written to the tags file since.
    [[nodiscard]] bool tagsChangedOnDisk() const;
    /// Runs a pass with these options and verifies what comes. Refused as the pass refuses, in words.
    void run(const Pass& pass, const PassOptions& options);
    /// The one of this id, which has to be there.
    void run(const QString& id, const PassOptions& options = {}) { run(*findPass(id), options); }
    /// Cuts the model over devices: the pass whose form gives more than options.
    void partition(const PartitionRequest& request);

    [[nodiscard]] bool isReading() const { return m_jobs.isRunning(QStringLiteral("read")); }

signals:
    void opened(const QString& path);
    /// The file holds several programs and one of them has to be named.
    void programWanted(const QString& path, const std::vector<sunder::Pt2ProgramEntry>& programs);
    /// A project and its model are open: what the document does not hold is to be taken from it.
    void projectOpened(const QString& path, const std::shared_ptr<const sunder::OpenedProject>& project);
    void projectSaved(const QString& path);
    /// The model of a project is not where the project says, `model`.
    void sourceMissing(const QString& path, const QString& model);
    /// The project is open in another window since then: what is open here is a copy that is not saved.
    void openElsewhere(const QString& path, const QString& since);
    /// A model could not be read: `path`, and one line with the reason.
    void openFailed(const QString& path, const QString& why);
    /// A run was begun before sizes were assumed or operators given, and came after.
    void madeOfEarlier();
    /// A split was refused; the problems say more.
    void splitRefused(const QString& why);
    /// Something to say in the status line and the log.
    void message(const QString& text);
    /// The file, read again, lacks `lost` of the `tagged` ops; `take` takes it all the same.
    void lossAsked(std::size_t lost, std::size_t tagged, const std::function<void()>& take);
    /// How a file on disk, by its name, differs from what is open.
    void compared(sunder::WatchedFile file, const QString& name, const sunder::DiskComparison& found);
    /// Something that did not work, worth a dialog.
    /// `next`: the command that may help, by the name of its action; empty where none does.
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
