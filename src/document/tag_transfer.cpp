#include "document/tag_transfer.h"

#include "document/open_model.h"
#include "document/project_state.h"
#include "document/text.h"
#include "io/model_file.h"
#include "io/side_files/identity_file.h"
#include "io/side_files/project_source.h"

#include <QFileInfo>

#include <algorithm>
#include <ranges>

namespace sunder {
namespace {

/// Returns the tags of a project by node name, independent of the current graph.
Result<OldTags> oldTagsIn(const std::vector<ProjectTag>& tags, const std::string& identity, const QString& path)
{
    SUNDER_TRY(GraphIdentity graph, parseIdentity(identity, path.toStdString()));
    OldTags old;
    for (std::size_t i = 0; i < tags.size(); ++i) {
        old.order.push_back(tags[i].name);
        old.traits.push_back(traitsOfTag(tags[i], i));
        for (const InternedString node : tags[i].nodes)
            old.tags.emplace_back(node, tags[i].name);
    }
    old.identity = std::move(graph);
    old.from = path;
    return old;
}

/// Returns the traits of the tags of a transfer, also of those that it took from earlier states.
std::vector<TagTraits> traitsInOrder(const TagTransfer& transfer, std::span<const InternedString> order,
                                     const std::vector<OldTagsPtr>& earlier)
{
    std::vector<TagTraits> traits = transfer.traits;
    if (traits.size() != transfer.order.size())
        return traits;
    for (const InternedString tag : order.subspan(traits.size()))
        for (const OldTagsPtr& state : earlier | std::views::reverse) {
            const auto was = static_cast<std::size_t>(std::ranges::find(state->order, tag) - state->order.begin());
            if (was >= state->order.size() || was >= state->traits.size())
                continue;
            traits.push_back(state->traits[was]);
            break;
        }
    if (traits.size() != order.size())
        traits.resize(transfer.traits.size());
    return traits;
}

/// Returns the states with tags of ops that the model lacks, oldest first.
std::vector<OldTagsPtr> statesOf(const TagTransfer& transfer, const std::vector<OldTagsPtr>& earlier, LostTags lost)
{
    std::vector<OldTagsPtr> states;
    for (std::size_t i = 0; i < earlier.size(); ++i) {
        if (lost.left[i].empty())
            continue;
        auto state = std::make_shared<OldTags>(*earlier[i]);
        state->tags = std::move(lost.left[i]);
        states.push_back(std::move(state));
    }
    if (!lost.lost.empty()) {
        auto state = std::make_shared<OldTags>();
        state->identity = transfer.old;
        state->order = transfer.order;
        state->tags = std::move(lost.lost);
        state->traits = transfer.traits;
        state->from = transfer.from;
        states.push_back(std::move(state));
    }
    if (states.size() > LostTags::kMaxStates)
        states.erase(states.begin(), states.end() - LostTags::kMaxStates);
    return states;
}

Result<OldTags> readOldModel(const QString& path, ProgressMonitor& monitor)
{
    SUNDER_TRY(Program program, readModel(path.toStdString(), {}, monitor));
    const Snapshot snapshot(std::move(program));
    if (const QString beside = tagsPathBeside(path); QFileInfo(beside).isFile()) {
        SUNDER_TRY(LoadedTags loaded, loadTagsFile(beside, snapshot));
        return oldTagsOf(snapshot.program, stateOf(std::move(loaded.tags), std::move(loaded.traits), snapshot), path);
    }
    const PreparedModel own = prepareModel(std::make_shared<const Snapshot>(snapshot));
    OldTags old = oldTagsOf(snapshot.program, own.state, path);
    if (old.tags.empty())
        return fail(ErrorCode::refused,
                    "its ops have no tags, and there is no " + QFileInfo(tagsPathBeside(path)).fileName().toStdString()
                        + " next to it",
                    {.file = path.toStdString()});
    return old;
}

} // namespace

OldTags oldTagsOf(const Program& program, const TagState& state, const QString& from)
{
    OldTags old;
    old.identity = identityOf(program);
    old.order = state.tags.order;
    old.tags = tagPairs(program.rootGraph(), state.tags);
    old.traits = state.traits;
    old.from = from;
    return old;
}

Result<OldTags> oldTagsOf(const ProjectFile& project, const QString& path)
{
    if (project.identity.empty())
        return fail(ErrorCode::refused, "it has no op identities: open it with its model and save it again",
                    {.file = path.toStdString(), .member = "identity"});
    return oldTagsIn(project.tags, project.identity, path);
}

Result<std::vector<OldTagsPtr>> lostTagsOf(const ProjectFile& project, const QString& path)
{
    std::vector<OldTagsPtr> all;
    for (const ProjectLostTags& lost : project.lost) {
        SUNDER_TRY(OldTags old, oldTagsIn(lost.tags, lost.identity, path));
        all.push_back(std::make_shared<const OldTags>(std::move(old)));
    }
    return all;
}

Result<OldTags> readOldTags(const QString& path, ProgressMonitor& monitor)
{
    if (!isProjectPath(path.toStdString()))
        return readOldModel(path, monitor);
    SUNDER_TRY(const ProjectFile project, readProjectFile(path.toStdString()));
    return oldTagsOf(project, path);
}

Result<TagTransferPtr> transferTags(OldTags old, const Snapshot& now, ProgressMonitor& monitor)
{
    auto transfer = std::make_shared<TagTransfer>();
    transfer->from = old.from;
    transfer->traits = std::move(old.traits);
    SUNDER_TRY(static_cast<ExportTransfer&>(*transfer), transferFrom(std::move(old), now.program, monitor));
    transfer->nodes = now.graph().order();
    return TagTransferPtr(std::move(transfer));
}

TagAssignment tagsOf(const TagTransfer& transfer, const Snapshot& snapshot)
{
    return transfer.tagsFor(snapshot.program);
}

std::size_t lostTagCount(const TagTransfer& transfer)
{
    return static_cast<std::size_t>(
        std::ranges::count_if(transfer.alignment.lost, [&](std::uint32_t node) { return transfer.oldTags[node] >= 0; }));
}

Result<TransferredTags> withLostTags(const TagTransferPtr& transfer, const std::vector<OldTagsPtr>& lost, const Snapshot& now,
                                     ProgressMonitor& monitor)
{
    ExportTransfer restored = *transfer; // the basis keeps what the matches alone say
    std::vector<const ExportTags*> earlier;
    for (const OldTagsPtr& state : lost)
        earlier.push_back(state.get());
    SUNDER_TRY(LostTags found, restoreTags(restored, earlier, monitor));
    TransferredTags made{.tags = restored.tagsFor(now.program),
                         .traits = traitsInOrder(*transfer, restored.order, lost),
                         .basis = {},
                         .back = found.back};
    made.basis.transfer = transfer;
    made.basis.accepted = found.isBack;
    made.basis.lost = statesOf(*transfer, lost, std::move(found));
    return made;
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
