#include "cli/project_input.h"

#include "cli/files.h"
#include "cli/old_export.h"
#include "io/model_file.h"
#include "io/side_files/devices_file.h"
#include "io/side_files/identity_file.h"
#include "io/side_files/project_source.h"
#include "io/side_files/project_tags.h"
#include "support/format.h"

#include <unordered_set>

namespace sunder::cli {
namespace {

/// Returns whether the graph differs from the one of the project. Without --changed-source, that is an error: equal names do not
/// imply equal nodes.
Result<bool> isOtherGraph(const Invocation& invocation, const Program& program, const ProjectFile& project)
{
    invocation.project.change = changeBetween(project.source.mark, markOf(program, invocation.monitor));
    const std::optional<SourceChange>& change = invocation.project.change;
    if (!change)
        return false;
    if (change->isOfGraph && !invocation.isSet("changed-source"))
        return fail(ErrorCode::refused,
                    "not the model that the project was made for: " + change->text
                        + "; --changed-source transfers the tags to matching ops",
                    {.file = program.origin.file});
    invocation.project.notes.push_back("the model has changed since the project was saved: " + change->text);
    return change->isOfGraph;
}

/// Returns the tags of these nodes only, without empty tags.
std::vector<ProjectTag> tagsOfNodes(const std::vector<ProjectTag>& tags, const std::vector<TagPair>& nodes)
{
    std::unordered_set<InternedString> names;
    for (const auto& [node, tag] : nodes)
        names.insert(node);
    std::vector<ProjectTag> kept = tags;
    for (ProjectTag& tag : kept)
        std::erase_if(tag.nodes, [&names](InternedString node) { return !names.contains(node); });
    std::erase_if(kept, [](const ProjectTag& tag) { return tag.nodes.empty(); });
    return kept;
}

/// Returns the tags of ops that the model lacks, oldest first.
std::vector<ProjectLostTags> lostAfter(const ProjectFile& project, const LostTags& lost)
{
    std::vector<ProjectLostTags> kept;
    for (std::size_t i = 0; i < project.lost.size(); ++i)
        if (!lost.left[i].empty())
            kept.push_back({project.lost[i].identity, tagsOfNodes(project.lost[i].tags, lost.left[i])});
    if (!lost.lost.empty())
        kept.push_back({project.identity, tagsOfNodes(project.tags, lost.lost)});
    if (kept.size() > LostTags::kMaxStates)
        kept.erase(kept.begin(), kept.end() - LostTags::kMaxStates);
    return kept;
}

/// Returns the tags of ops that earlier states of the model had, oldest first.
Result<std::vector<ExportTags>> earlierStates(const ProjectFile& project, const std::string& path)
{
    std::vector<ExportTags> states;
    for (const ProjectLostTags& lost : project.lost) {
        SUNDER_TRY(GraphIdentity identity, parseIdentity(lost.identity, path));
        ExportTags& added = states.emplace_back(ExportTags{.identity = std::move(identity)});
        for (const ProjectTag& tag : lost.tags) {
            added.order.push_back(tag.name);
            for (const InternedString node : tag.nodes)
                added.tags.emplace_back(node, tag.name);
        }
    }
    return states;
}

/// Transfers tags from another graph whose op identities are in the project, and those of ops that earlier ones had.
Result<TagAssignment> tagsOver(const Invocation& invocation, const Program& program, const ProjectFile& project,
                               const std::string& path)
{
    SUNDER_TRY(OldExport old, oldExportOf(project, path));
    SUNDER_TRY(ExportTransfer made, transferFrom(exportTags(std::move(old)), program, invocation.monitor));
    SUNDER_TRY(const std::vector<ExportTags> states, earlierStates(project, path));
    std::vector<const ExportTags*> earlier;
    for (const ExportTags& one : states)
        earlier.push_back(&one);
    SUNDER_TRY(const LostTags lost, restoreTags(made, earlier, invocation.monitor));
    const auto transfer = std::make_shared<const ExportTransfer>(std::move(made));
    invocation.project.transfer = transfer;
    invocation.project.lost = lostAfter(project, lost);
    std::vector<std::string>& notes = invocation.project.notes;
    notes.push_back("tags were transferred to matching ops: " + summaryOf(transfer->carried, transfer->alignment));
    if (lost.back > 0)
        notes.push_back(formatCount(lost.back, "op") + " of earlier versions of the model are back with their tags");
    if (transfer->carried.untagged > 0)
        notes.push_back(
            formatCount(transfer->carried.untagged, "op")
            + (invocation.isSet("suggested") ? " got the suggested tag" : " got no tag; --suggested gives them the suggested one")
            + "; sunder-cli transfer --report gives the reasons");
    return transfer->tagsFor(program, untaggedFor(invocation));
}

/// Assigns tags by node name. With --changed-source, drops tags of missing nodes and adds a note.
Result<TagAssignment> tagsByName(const Invocation& invocation, const Program& program, const ProjectFile& project,
                                 const std::string& path)
{
    TagAssignment tags = assignmentOf(program.rootGraph(), project.tags);
    if (tags.unknownNodes.empty())
        return tags;
    const auto& [node, tag] = tags.unknownNodes.front();
    if (!invocation.isSet("changed-source"))
        return fail(ErrorCode::refused, "the project assigns tag \"" + tag.str() + "\" to unknown node \"" + node.str() + '"',
                    {.file = path, .node = node.str(), .other = tag.str()});
    invocation.project.notes.push_back("tags of " + formatCount(tags.unknownNodes.size(), "node")
                                       + " were dropped because the model has no such nodes, e.g. " + node.str());
    tags.unknownNodes.clear();
    return tags;
}

Result<TagAssignment> tagsOf(const Invocation& invocation, const Program& program, const ProjectFile& project,
                             const std::string& path)
{
    SUNDER_TRY(const bool isOther, isOtherGraph(invocation, program, project));
    if (!isOther || project.identity.empty())
        return tagsByName(invocation, program, project, path);
    return tagsOver(invocation, program, project, path);
}

} // namespace

Result<Program> readProjectModel(const Invocation& invocation, const std::string& path, const std::string& name)
{
    SUNDER_TRY(ProjectFile project, readProjectFile(path));
    const std::optional<std::string> model = invocation.isSet("source") ? invocation.value("source")
                                                                        : findSource(project.source, path);
    if (!model)
        return fail(ErrorCode::io,
                    "the model of the project is neither at " + project.source.relative + " next to it nor at "
                        + project.source.absolute + "; --source MODEL reads another one",
                    {.file = path, .member = "source"});
    const std::string wanted = name.empty() ? project.source.program : name;
    Result<Program> program = readModel(*model, {.model = wanted}, invocation.monitor);
    if (!program)
        return program;
    SUNDER_TRY(const TagAssignment tags, tagsOf(invocation, *program, project, path));
    putTagsOnNodes(*program, tags);
    program->tags->colors.clear();
    for (std::size_t i = 0; i < project.tags.size(); ++i)
        program->tags->colors.emplace_back(project.tags[i].name, intern(colorOf(project.tags[i], i)));
    if (!invocation.isSet("assume") && !project.sizes.empty())
        SUNDER_PROPAGATE(assumeSizes(*program, project.sizes));
    if (!invocation.project.file)
        invocation.project.file = std::move(project);
    return program;
}

Result<std::vector<Device>> devicesFor(const Invocation& invocation)
{
    if (invocation.isSet("devices"))
        return readDevicesFile(invocation.value("devices"));
    return invocation.project.file ? invocation.project.file->devices : std::vector<Device>();
}

} // namespace sunder::cli
