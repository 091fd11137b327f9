#include "document/open_project.h"

#include "document/project_state.h"
#include "document/tag_transfer.h"
#include "document/text.h"
#include "io/side_files/rules_file.h"

#include <QFileInfo>
#include <QJsonDocument>
#include <QJsonObject>

#include <algorithm>

namespace sunder {
namespace {

const QString kUnsaved = QStringLiteral("unsaved");

QJsonObject extraObject(const ProjectFile& project)
{
    return QJsonDocument::fromJson(QByteArray::fromStdString(project.extra)).object();
}

std::string asText(const QJsonObject& object)
{
    return object.isEmpty() ? std::string() : QJsonDocument(object).toJson(QJsonDocument::Compact).toStdString();
}

/// The tags by what ops were, where the graph is another one and the project says what they were; else refused.
Result<TagTransferPtr> transferOf(const OpenedProject& project, const Snapshot& snapshot, ProgressMonitor& monitor)
{
    if (!project.change || !project.change->isOfGraph)
        return fail(ErrorCode::refused, "the graph is the same");
    Result<OldTags> old = oldTagsOf(project.file, QObject::tr("the project"));
    return old ? transferTags(std::move(*old), snapshot, monitor) : Result<TagTransferPtr>(forward(old));
}

} // namespace

Result<OpenedProject> openProject(const QString& path, const QString& modelInstead,
                                  std::shared_ptr<const OperatorLibrary> operators, ProgressMonitor& monitor)
{
    Result<ProjectFile> file = readProjectFile(path.toStdString());
    if (!file)
        return forward(file);
    OpenedProject project{.file = std::move(*file), .unsaved = {}};
    project.unsaved = unsavedOriginOf(project.file);
    project.file.extra = extraWithoutUnsaved(project.file);
    project.model = modelInstead.isEmpty() ? text(findSource(project.file.source, path.toStdString()).value_or(std::string()))
                                           : modelInstead;
    if (project.model.isEmpty())
        return project;
    Result<OpenedModel> opened = readSource(project.model, text(project.file.source.program), std::move(operators), monitor);
    if (!opened)
        return forward(opened);
    project.opened = std::move(*opened);
    const SnapshotPtr snapshot = project.opened.model.snapshot;
    if (!snapshot)
        return project;
    project.change = changeBetween(project.file.source.mark, markOf(snapshot->program, monitor));
    const QString place = project.unsaved ? project.unsaved->project : path;
    const Result<TagTransferPtr> transfer = transferOf(project, *snapshot, monitor);
    LoadedTags tags = tagsOfProject(project.file, *snapshot, place);
    const QString name = project.opened.model.programName;
    if (transfer) {
        takeOver(project.opened.model, *transfer);
        project.opened.model.tagsPath = place;
    } else {
        project.opened.tagsNote = tags.note;
        project.opened.model = prepareModel(snapshot, std::move(tags));
    }
    project.opened.model.programName = name;
    project.opened.model.devices = project.file.devices;
    if (!project.file.rules.empty()) {
        Result<TagRules> rules = parseRulesFile(project.file.rules, path.toStdString());
        if (!rules)
            return forward(rules);
        project.opened.model.basis.rules = std::move(*rules);
    }
    TagState& state = project.opened.model.state;
    state.protectsTagged = project.file.protectsTagged;
    const auto active = std::ranges::find(state.tags.order, project.file.activeTag);
    if (active != state.tags.order.end())
        state.active = static_cast<int>(active - state.tags.order.begin());
    return project;
}

std::string extraOfUnsaved(const ProjectFile& project, const UnsavedOrigin& origin)
{
    QJsonObject extra = extraObject(project);
    extra[kUnsaved] = QJsonObject{{QStringLiteral("project"), origin.project}, {QStringLiteral("when"), origin.when}};
    return asText(extra);
}

std::optional<UnsavedOrigin> unsavedOriginOf(const ProjectFile& project)
{
    const QJsonObject extra = extraObject(project);
    if (!extra.contains(kUnsaved))
        return std::nullopt;
    const QJsonObject origin = extra[kUnsaved].toObject();
    return UnsavedOrigin{origin[QStringLiteral("project")].toString(), origin[QStringLiteral("when")].toString()};
}

std::string extraWithoutUnsaved(const ProjectFile& project)
{
    if (!unsavedOriginOf(project))
        return project.extra;
    QJsonObject extra = extraObject(project);
    extra.remove(kUnsaved);
    return asText(extra);
}

QString projectPathBeside(const QString& modelPath)
{
    constexpr const char* kTags = ".tags.json";
    QString path = tagsPathBeside(modelPath);
    path.chop(static_cast<qsizetype>(qstrlen(kTags)));
    return path + QStringLiteral(".sunder");
}

} // namespace sunder
