#include "cli/project_input.h"

#include "cli/files.h"
#include "io/model_file.h"
#include "io/side_files/partitioner_files.h"
#include "io/side_files/project_source.h"
#include "io/side_files/project_tags.h"
#include "support/format.h"

namespace sunder::cli {
namespace {

/// Names alone never decide that a node is the same one: a changed graph is refused, or its misfits are said.
Result<void> checkSource(const Invocation& invocation, const Program& program, const ProjectFile& project)
{
    const std::optional<SourceChange> change = changeBetween(project.source.mark, markOf(program, invocation.monitor));
    if (!change)
        return {};
    if (change->isOfGraph && !invocation.isSet("changed-source"))
        return fail(ErrorCode::refused,
                    "is not the model that the project was made for: " + change->text
                        + ". Tags by name may mean other ops; --changed-source takes those whose names are there",
                    {.file = program.origin.file});
    invocation.project.notes.push_back("the model has changed since the project was saved: " + change->text);
    return {};
}

/// With tags of nodes that are not there any more left out, and that said.
Result<TagAssignment> tagsOf(const Invocation& invocation, const Program& program, const ProjectFile& project,
                             const std::string& path)
{
    TagAssignment tags = assignmentOf(program.rootGraph(), project.tags);
    if (tags.unknownNodes.empty())
        return tags;
    const auto& [node, tag] = tags.unknownNodes.front();
    if (!invocation.isSet("changed-source"))
        return fail(ErrorCode::refused, "gives the tag " + tag.str() + " to " + node.str() + ", which is no node of the graph",
                    {.file = path, .node = node.str(), .other = tag.str()});
    invocation.project.notes.push_back("tags of " + formatCount(tags.unknownNodes.size(), "node")
                                       + " were left out, which the model does not have, " + node.str() + " first");
    tags.unknownNodes.clear();
    return tags;
}

} // namespace

Result<Program> readProjectModel(const Invocation& invocation, const std::string& path)
{
    Result<ProjectFile> project = readProjectFile(path);
    if (!project)
        return forward(project);
    const std::optional<std::string> model = findSource(project->source, path);
    if (!model)
        return fail(ErrorCode::io,
                    "its model is neither at " + project->source.relative + " beside it nor at " + project->source.absolute,
                    {.file = path, .member = "source"});
    const std::string wanted = invocation.isSet("model") ? invocation.value("model") : project->source.program;
    Result<Program> program = readModel(*model, {.model = wanted}, invocation.monitor);
    if (!program)
        return program;
    if (const Result<void> same = checkSource(invocation, *program, *project); !same)
        return forward(same);
    const Result<TagAssignment> tags = tagsOf(invocation, *program, *project, path);
    if (!tags)
        return forward(tags);
    putTagsOnNodes(*program, *tags);
    program->tags->colors.clear();
    for (std::size_t i = 0; i < project->tags.size(); ++i)
        program->tags->colors.emplace_back(project->tags[i].name, intern(colorOf(project->tags[i], i)));
    if (!invocation.isSet("assume") && !project->sizes.empty())
        if (const Result<void> assumed = assumeSizes(*program, project->sizes); !assumed)
            return forward(assumed);
    if (!invocation.project.file)
        invocation.project.file = std::move(*project);
    return program;
}

Result<std::vector<Device>> devicesFor(const Invocation& invocation)
{
    if (invocation.isSet("devices"))
        return readDevicesFile(invocation.value("devices"));
    return invocation.project.file ? invocation.project.file->devices : std::vector<Device>();
}

} // namespace sunder::cli
