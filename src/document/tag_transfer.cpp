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
#include <unordered_set>

namespace sunder {
namespace {

constexpr std::size_t kMaxLostStates = 8; ///< each stores the identities of a whole graph

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

/// Returns the index of a tag in the order; appends the tag if it is missing.
std::int32_t placeOf(InternedString name, const OldTags& of, TransferredTags& made)
{
    std::vector<InternedString>& order = made.tags.order;
    const auto at = std::ranges::find(order, name);
    if (at != order.end())
        return static_cast<std::int32_t>(at - order.begin());
    const auto was = static_cast<std::size_t>(std::ranges::find(of.order, name) - of.order.begin());
    if (made.traits.size() == order.size() && was < of.traits.size())
        made.traits.push_back(of.traits[was]);
    order.push_back(name);
    return static_cast<std::int32_t>(order.size()) - 1;
}

/// Restores tags of lost ops that are found in the model again. Returns the tags that remain lost, or null.
Result<OldTagsPtr> bringBack(const OldTagsPtr& lost, const Snapshot& now, TransferredTags& made, ProgressMonitor& monitor)
{
    SUNDER_TRY(const TagTransferPtr found, transferTags(*lost, now, monitor));
    const TagTransfer& of = *found;
    const std::vector<AlignedCall>& otherwise = made.basis.transfer->alignment.calls;
    std::unordered_set<InternedString> back;
    for (std::size_t i = 0; i < of.alignment.calls.size(); ++i) {
        const AlignedCall& call = of.alignment.calls[i];
        const std::int32_t tag = of.carried.calls[i].tag;
        if (call.old == AlignedCall::kNone || tag < 0 || call.kind >= otherwise[i].kind || made.basis.accepted[i])
            continue;
        made.tags.tagOf[of.nodes[call.node].index()] = placeOf(of.order[static_cast<std::size_t>(tag)], *lost, made);
        made.basis.accepted[i] = true;
        back.insert(of.old.nodes[call.old].name);
    }
    if (back.empty())
        return lost;
    made.back += back.size();
    OldTags rest = *lost;
    std::erase_if(rest.tags, [&back](const TagPair& pair) { return back.contains(pair.first); });
    return rest.tags.empty() ? nullptr : std::make_shared<const OldTags>(std::move(rest));
}

/// Returns the tags of ops that the transfer could not match, or null.
OldTagsPtr lostBy(const TagTransfer& transfer)
{
    std::vector<TagPair> pairs;
    for (const std::uint32_t node : transfer.alignment.lost)
        if (const std::int32_t tag = transfer.oldTags[node]; tag >= 0)
            pairs.emplace_back(transfer.old.nodes[node].name, transfer.order[static_cast<std::size_t>(tag)]);
    if (pairs.empty())
        return nullptr;
    return std::make_shared<const OldTags>(OldTags{.identity = transfer.old,
                                                   .order = transfer.order,
                                                   .tags = std::move(pairs),
                                                   .traits = transfer.traits,
                                                   .from = transfer.from});
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
    return {.identity = identityOf(program),
            .order = state.tags.order,
            .tags = tagPairs(program.rootGraph(), state.tags),
            .traits = state.traits,
            .from = from};
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
    transfer->oldTags = oldTags(old.identity, old.order, old.tags);
    transfer->old = std::move(old.identity);
    transfer->now = identityOf(now.program);
    transfer->order = std::move(old.order);
    transfer->traits = std::move(old.traits);
    transfer->nodes = now.graph().order();
    SUNDER_TRY(GraphAlignment alignment, alignGraphs(transfer->old, transfer->now, monitor));
    transfer->alignment = std::move(alignment);
    transfer->carried = carriedTags(transfer->now, transfer->alignment, transfer->oldTags);
    return TagTransferPtr(std::move(transfer));
}

TagAssignment tagsOf(const TagTransfer& transfer, const Snapshot& snapshot)
{
    return assignmentOf(snapshot.program, transfer.alignment, transfer.carried, transfer.order);
}

std::size_t lostTagCount(const TagTransfer& transfer)
{
    return static_cast<std::size_t>(
        std::ranges::count_if(transfer.alignment.lost, [&](std::uint32_t node) { return transfer.oldTags[node] >= 0; }));
}

Result<TransferredTags> withLostTags(const TagTransferPtr& transfer, const std::vector<OldTagsPtr>& lost, const Snapshot& now,
                                     ProgressMonitor& monitor)
{
    TransferredTags made{.tags = tagsOf(*transfer, now), .traits = transfer->traits, .basis = {}};
    made.basis.transfer = transfer;
    made.basis.accepted.assign(transfer->alignment.calls.size(), false);
    for (const OldTagsPtr& kept : lost | std::views::reverse) { // the most recently lost tags take precedence
        SUNDER_TRY(OldTagsPtr rest, bringBack(kept, now, made, monitor));
        if (rest != nullptr)
            made.basis.lost.insert(made.basis.lost.begin(), std::move(rest));
    }
    if (OldTagsPtr more = lostBy(*transfer))
        made.basis.lost.push_back(std::move(more));
    if (made.basis.lost.size() > kMaxLostStates)
        made.basis.lost.erase(made.basis.lost.begin(), made.basis.lost.end() - kMaxLostStates);
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
