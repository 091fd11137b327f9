#include "document/tag_transfer.h"

#include "document/open_model.h"
#include "document/project_state.h"
#include "document/text.h"
#include "io/model_file.h"
#include "io/side_files/identity_file.h"
#include "io/side_files/project_source.h"

#include <QFileInfo>

#include <algorithm>

namespace sunder {
namespace {

/// The tags of a project by the names of its nodes, whatever graph there is now.
OldTags tagsNamedIn(const ProjectFile& project)
{
    OldTags old;
    for (std::size_t i = 0; i < project.tags.size(); ++i) {
        old.order.push_back(project.tags[i].name);
        old.traits.push_back(traitsOfTag(project.tags[i], i));
        for (const InternedString node : project.tags[i].nodes)
            old.tags.emplace_back(node, project.tags[i].name);
    }
    return old;
}

Result<OldTags> readOldModel(const QString& path, ProgressMonitor& monitor)
{
    Result<Program> program = readModel(path.toStdString(), {}, monitor);
    if (!program)
        return forward(program);
    const Snapshot snapshot(std::move(*program));
    if (const QString beside = tagsPathBeside(path); QFileInfo(beside).isFile()) {
        Result<LoadedTags> loaded = loadTagsFile(beside, snapshot);
        if (!loaded)
            return forward(loaded);
        return oldTagsOf(snapshot.program, stateOf(std::move(loaded->tags), std::move(loaded->traits), snapshot), path);
    }
    const PreparedModel own = prepareModel(std::make_shared<const Snapshot>(snapshot));
    OldTags old = oldTagsOf(snapshot.program, own.state, path);
    if (old.tags.empty())
        return fail(ErrorCode::refused,
                    "no op of it has a tag, and there is no " + QFileInfo(tagsPathBeside(path)).fileName().toStdString()
                        + " beside it",
                    {.file = path.toStdString()});
    return old;
}

} // namespace

OldTags oldTagsOf(const Program& program, const TagState& state, const QString& from)
{
    return {.identity = identityOf(program),
            .order = state.tags.order,
            .tags = tagPairs(program.rootGraph(), state.tags),
            .traits = state.traits,
            .from = from};
}

Result<OldTags> oldTagsOf(const ProjectFile& project, const QString& path)
{
    if (project.identity.empty())
        return fail(ErrorCode::refused, "it does not say what the ops of its model were: save it with this version first",
                    {.file = path.toStdString(), .member = "identity"});
    Result<GraphIdentity> identity = parseIdentity(project.identity, path.toStdString());
    if (!identity)
        return forward(identity);
    OldTags old = tagsNamedIn(project);
    old.identity = std::move(*identity);
    old.from = path;
    return old;
}

Result<OldTags> readOldTags(const QString& path, ProgressMonitor& monitor)
{
    if (!isProjectPath(path.toStdString()))
        return readOldModel(path, monitor);
    const Result<ProjectFile> project = readProjectFile(path.toStdString());
    return project ? oldTagsOf(*project, path) : Result<OldTags>(forward(project));
}

Result<TagTransferPtr> transferTags(OldTags old, const Snapshot& now, ProgressMonitor& monitor)
{
    auto transfer = std::make_shared<TagTransfer>();
    transfer->from = old.from;
    transfer->oldTags = oldTags(old.identity, old.order, old.tags);
    transfer->old = std::move(old.identity);
    transfer->now = identityOf(now.program);
    transfer->order = std::move(old.order);
    transfer->traits = std::move(old.traits);
    transfer->nodes = now.graph().order();
    Result<GraphAlignment> alignment = alignGraphs(transfer->old, transfer->now, monitor);
    if (!alignment)
        return forward(alignment);
    transfer->alignment = std::move(*alignment);
    transfer->carried = carriedTags(transfer->now, transfer->alignment, transfer->oldTags);
    return TagTransferPtr(std::move(transfer));
}

TagAssignment tagsOf(const TagTransfer& transfer, const Snapshot& snapshot)
{
    return assignmentOf(snapshot.program, transfer.alignment, transfer.carried, transfer.order);
}

std::vector<NodeId> aroundLost(const TagTransfer& transfer, std::uint32_t lost)
{
    std::vector<std::uint32_t> near(transfer.old.reads[lost].begin(), transfer.old.reads[lost].end());
    for (std::uint32_t node = lost + 1; node < transfer.old.nodes.size(); ++node)
        if (std::ranges::find(transfer.old.reads[node], lost) != transfer.old.reads[node].end())
            near.push_back(node);
    std::vector<NodeId> found;
    for (const AlignedCall& call : transfer.alignment.calls)
        if (call.old != AlignedCall::kNone && std::ranges::find(near, call.old) != near.end())
            found.push_back(transfer.nodes[call.node]);
    return found;
}

} // namespace sunder
