#include "document/open_project.h"

#include "document/project_state.h"
#include "document/tag_transfer.h"
#include "document/text.h"
#include "io/side_files/rules_file.h"

#include <QFileInfo>
#include <algorithm>

namespace sunder {
namespace {

/// Transfers tags by op structure if the graph has changed and the project describes its ops; otherwise refused.
Result<TagTransferPtr> transferOf(const ProjectFile& file, const std::optional<SourceChange>& change, const Snapshot& snapshot,
                                  ProgressMonitor& monitor)
{
    if (!change || !change->isOfGraph)
        return fail(ErrorCode::refused, "the graph is the same");
    SUNDER_TRY(OldTags old, oldTagsOf(file, QObject::tr("the project")));
    return transferTags(std::move(old), snapshot, monitor);
}

/// Applies the project's tags, rules, devices, and notes to the model.
Result<OpenedModel> withProject(OpenedModel opened, const ProjectFile& file, const std::optional<SourceChange>& change,
                                const QString& place, ProgressMonitor& monitor)
{
    const SnapshotPtr snapshot = opened.model.snapshot;
    const Result<TagTransferPtr> transfer = transferOf(file, change, *snapshot, monitor);
    SUNDER_TRY(std::vector<OldTagsPtr> lost, lostTagsOf(file, place));
    if (transfer) {
        SUNDER_PROPAGATE(takeOver(opened, *transfer, lost, monitor));
    } else {
        LoadedTags tags = tagsOfProject(file, *snapshot, place);
        const QString name = opened.model.programName;
        opened.tagsNote = tags.note;
        opened.model = prepareModel(snapshot, std::move(tags));
        opened.model.programName = name;
        opened.model.basis.lost = std::move(lost);
    }
    opened.model.tagsPath = place;
    opened.model.devices = file.devices;
    opened.model.notes = file.notes;
    if (!file.rules.empty()) {
        SUNDER_TRY(TagRules rules, parseRulesFile(file.rules, place.toStdString()));
        opened.model.basis.rules = std::move(rules);
    }
    TagState& state = opened.model.state;
    state.protectsTagged = file.protectsTagged;
    const auto active = std::ranges::find(state.tags.order, file.activeTag);
    if (active != state.tags.order.end())
        state.active = static_cast<int>(active - state.tags.order.begin());
    return opened;
}

/// Returns the last saved state: that of the project, or the model opened without a project.
OpenedModel savedBefore(const OpenedModel& read, const OpenedProject& project, const SourceMark& mark, ProgressMonitor& monitor)
{
    const QString saved = exact(project.unsaved->project);
    if (!saved.isEmpty())
        if (const Result<ProjectFile> file = readProjectFile(saved.toStdString()))
            if (Result<OpenedModel> before = withProject(read, *file, changeBetween(file->source.mark, mark), saved, monitor))
                return std::move(*before);
    OpenedModel before = withTagsBeside(read, project.model);
    before.model.tagsPath = saved;
    before.tagsNote.clear();
    return before;
}

} // namespace

Result<OpenedProject> openProject(const QString& path, const QString& modelInstead,
                                  std::shared_ptr<const OperatorLibrary> operators, ProgressMonitor& monitor)
{
    SUNDER_TRY(ProjectFile file, readProjectFile(path.toStdString()));
    OpenedProject project{.file = std::move(file), .unsaved = {}};
    project.unsaved = std::exchange(project.file.unsaved, std::nullopt);
    project.model = modelInstead.isEmpty() ? text(findSource(project.file.source, path.toStdString()).value_or(std::string()))
                                           : modelInstead;
    if (project.model.isEmpty())
        return project;
    SUNDER_TRY(OpenedModel opened, readSource(project.model, text(project.file.source.program), std::move(operators), monitor));
    project.opened = std::move(opened);
    const SnapshotPtr snapshot = project.opened.model.snapshot;
    if (!snapshot)
        return project;
    const SourceMark mark = markOf(snapshot->program, monitor);
    project.change = changeBetween(project.file.source.mark, mark);
    const QString place = project.unsaved ? exact(project.unsaved->project) : path;
    SUNDER_TRY(OpenedModel asKept, withProject(project.opened, project.file, project.change, place, monitor));
    if (project.unsaved) {
        project.opened = savedBefore(project.opened, project, mark, monitor);
        project.recovered = std::move(asKept.model);
    } else {
        project.opened = std::move(asKept);
    }
    return project;
}

QString projectPathBeside(const QString& modelPath)
{
    constexpr const char* kTags = ".tags.json";
    QString path = tagsPathBeside(modelPath);
    path.chop(static_cast<qsizetype>(qstrlen(kTags)));
    return path + QStringLiteral(".sunder");
}

} // namespace sunder
