#include "document/open_model.h"

#include "document/project_state.h"
#include "document/tag_edits.h"
#include "document/tag_transfer.h"
#include "document/text.h"
#include "io/model_file.h"
#include "io/side_files/tags_file.h"
#include "support/sha256.h"
#include "text/amounts.h"

#include <QFileInfo>
#include <QObject>

#include <algorithm>

namespace sunder {
namespace {

/// Returns the order in the file, or the order of first use in the graph if the file has none.
std::vector<InternedString> orderOf(const TagsFile& file, const Snapshot& snapshot)
{
    if (!file.order.empty())
        return file.order;
    std::vector<std::pair<std::uint32_t, InternedString>> met;
    for (const auto& [node, tag] : file.tags)
        if (const NodeId id = snapshot.names.find(node))
            met.emplace_back(snapshot.positions[id.index()], tag);
    std::sort(met.begin(), met.end(), [](const auto& a, const auto& b) { return a.first < b.first; });
    std::vector<InternedString> order;
    for (const auto& [position, tag] : met)
        if (std::find(order.begin(), order.end(), tag) == order.end())
            order.push_back(tag);
    return order;
}

std::vector<TagTraits> traitsOf(const TagsFile& file, const std::vector<InternedString>& order)
{
    std::vector<TagTraits> traits(order.size());
    for (std::size_t i = 0; i < order.size(); ++i) {
        traits[i].color.hue = static_cast<std::uint32_t>(i);
        for (const auto& [tag, color] : file.colors)
            if (tag == order[i])
                traits[i].color = colorFromFile(color.view(), i);
    }
    return traits;
}

QString misfits(const TagAssignment& tags)
{
    QStringList notes;
    if (!tags.unknownNodes.empty())
        notes << QObject::tr("Not in the model: %1 of the file, starting with %2")
                     .arg(countText(tags.unknownNodes.size(), "node"), text(tags.unknownNodes.front().first.str()));
    if (!tags.unknownTags.empty())
        notes << QObject::tr("Tag not in the file's order: %1, starting with tag %2")
                     .arg(countText(tags.unknownTags.size(), "node"), text(tags.unknownTags.front().second.str()));
    return notes.isEmpty() ? QString() : notes.join(QStringLiteral("; ")) + QLatin1Char('.');
}

} // namespace

Result<OpenedModel> readSource(const QString& path, const QString& wanted, std::shared_ptr<const OperatorLibrary> operators,
                               ProgressMonitor& monitor)
{
    OpenedModel opened;
    ReadModelOptions options;
    // Ignore errors here: readModel() reports a damaged archive in more detail.
    if (auto programs = programsOfPt2(path.toStdString()); programs && programs->size() > 1) {
        opened.programs = std::move(*programs);
        options.model = wanted.toStdString();
        const auto is = [&](const Pt2ProgramEntry& entry) { return entry.name == options.model; };
        if (std::none_of(opened.programs.begin(), opened.programs.end(), is))
            return opened;
    }
    SUNDER_TRY(Program program, readModel(path.toStdString(), options, monitor));
    program.operators = std::move(operators);
    monitor.report(0.97, "indexing the graph");
    SUNDER_TRY(Snapshot snapshot, Snapshot::build(std::move(program), monitor));
    opened.model.snapshot = std::make_shared<const Snapshot>(std::move(snapshot));
    if (!opened.programs.empty())
        opened.model.programName = wanted;
    return opened;
}

OpenedModel withTagsBeside(OpenedModel opened, const QString& path)
{
    const SnapshotPtr snapshot = opened.model.snapshot;
    const QString name = opened.model.programName;
    std::optional<LoadedTags> found;
    if (const QString beside = tagsPathBeside(path); QFileInfo(beside).isFile()) {
        // Hash before reading, so that a write in between is detected as a change.
        const Result<std::string> hash = sha256OfFile(beside.toStdString());
        Result<LoadedTags> tags = loadTagsFile(beside, *snapshot);
        if (tags) {
            opened.tagsHash = hash.value_or(std::string());
            opened.tagsNote = tags->note;
            found = std::move(*tags);
        } else {
            opened.tagsNote = QObject::tr("The tags file next to the model was ignored: %1").arg(text(describe(tags.error())));
        }
    }
    opened.model = prepareModel(snapshot, std::move(found));
    opened.model.programName = name;
    return opened;
}

Result<OpenedModel> openModel(const QString& path, const QString& wanted, std::shared_ptr<const OperatorLibrary> operators,
                              ProgressMonitor& monitor)
{
    Result<OpenedModel> read = readSource(path, wanted, std::move(operators), monitor);
    if (!read || !read->model.snapshot)
        return read;
    monitor.report(0.98, "checking the tags");
    return withTagsBeside(std::move(*read), path);
}

Result<OpenedModel> reopenModel(const QString& path, const QString& program, const SnapshotPtr& before, const TagState& state,
                                const TagBasis& basis, ProgressMonitor& monitor)
{
    Result<OpenedModel> opened = readSource(path, program, before->program.operators, monitor);
    if (!opened || !opened->model.snapshot)
        return opened;
    SUNDER_TRY(const TagTransferPtr transfer,
               transferTags(oldTagsOf(before->program, state, QObject::tr("the model before the reload")),
                            *opened->model.snapshot, monitor));
    SUNDER_PROPAGATE(takeOver(*opened, transfer, basis.lost, monitor));
    opened->model.basis.rules = basis.rules;
    return opened;
}

Result<void> takeOver(OpenedModel& opened, const TagTransferPtr& transfer, const std::vector<OldTagsPtr>& lost,
                      ProgressMonitor& monitor)
{
    PreparedModel& model = opened.model;
    SUNDER_TRY(TransferredTags made, withLostTags(transfer, lost, *model.snapshot, monitor));
    const QString name = model.programName;
    model = prepareModel(model.snapshot, LoadedTags{.tags = std::move(made.tags), .traits = std::move(made.traits)});
    model.programName = name;
    model.basis = std::move(made.basis);
    if (made.back > 0)
        opened.tagsNote = made.back == 1
            ? QObject::tr("1 op that was lost before is back with its tag.")
            : QObject::tr("%1 that were lost before are back with their tags.").arg(countText(made.back, "op"));
    return {};
}

Result<LoadedTags> loadTagsFile(const QString& path, const Snapshot& snapshot)
{
    if (isProjectPath(path.toStdString())) {
        SUNDER_TRY(const ProjectFile project, readProjectFile(path.toStdString()));
        return tagsOfProject(project, snapshot, path);
    }
    SUNDER_TRY(const TagsFile file, readTagsFile(path.toStdString()));
    const std::vector<InternedString> order = orderOf(file, snapshot);
    LoadedTags loaded{.tags = assignTags(snapshot.graph(), order, file.tags), .path = path};
    if (!file.tags.empty() && loaded.tags.unknownNodes.size() == file.tags.size())
        return fail(ErrorCode::refused,
                    "the model has none of the tagged nodes; the first is \"" + file.tags.front().first.str() + "\"",
                    {.file = path.toStdString()});
    loaded.traits = traitsOf(file, loaded.tags.order);
    loaded.note = misfits(loaded.tags);
    return loaded;
}

Result<void> saveTagsFile(const QString& path, const Snapshot& snapshot, const TagState& state)
{
    TagsFile file{.order = state.tags.order, .tags = tagPairs(snapshot.graph(), state.tags)};
    for (std::size_t i = 0; i < state.traits.size(); ++i)
        if (const std::string color = colorForFile(state.traits[i].color); !color.empty())
            file.colors.emplace_back(state.tags.order[i], intern(color));
    return writeTagsFile(file, path.toStdString());
}

QString tagsPathBeside(const QString& modelPath)
{
    QString stem = modelPath;
    for (const char* suffix : {".gz", ".fxj", ".pt2", ".json"})
        if (stem.endsWith(QLatin1String(suffix), Qt::CaseInsensitive))
            stem.chop(static_cast<qsizetype>(qstrlen(suffix)));
    return stem + QStringLiteral(".tags.json");
}

} // namespace sunder
