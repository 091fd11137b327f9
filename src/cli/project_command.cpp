// Creates a project from a model or another project, as saving in the window does.
#include "cli/command.h"
#include "cli/cut_report.h"
#include "cli/files.h"
#include "cli/project_input.h"
#include "cli/tags.h"
#include "cli/timed_costs.h"
#include "io/side_files/cut_summary_file.h"
#include "io/side_files/identity_file.h"
#include "io/side_files/project_source.h"
#include "io/side_files/project_tags.h"
#include "passes/balance/summarize_cut.h"
#include "support/format.h"

#include <algorithm>
#include <filesystem>

namespace sunder::cli {
namespace {

constexpr CommandOption kProjectOptions[] = {
    {Takes::input, "tags", "TAGS.json", "Tag of each node, and the order of tags. Default: the tags in IN."},
    {Takes::input, "devices", "DEVICES.json", "Devices that the model is cut for. Default: those of a project IN."},
    {Takes::output, "o", "PROJECT.sunder", "Project to write."},
};

/// Keeps the traits of tags that IN has; colors in TAGS.json take precedence.
std::vector<ProjectTag> projectTags(const Program& program, const ColoredTags& given, const std::vector<ProjectTag>& before)
{
    std::vector<ProjectTag> tags = projectTagsOf(program.rootGraph(), given.tags);
    for (ProjectTag& tag : tags) {
        if (const auto old = std::ranges::find(before, tag.name, &ProjectTag::name); old != before.end()) {
            std::vector<InternedString> nodes = std::move(tag.nodes);
            tag = *old;
            tag.nodes = std::move(nodes);
        }
        using Color = std::pair<InternedString, InternedString>;
        const auto color = std::ranges::find(given.colors, tag.name, &Color::first);
        if (color == given.colors.end() || color->second.view() == colorOf(tag, static_cast<std::size_t>(&tag - tags.data())))
            continue;
        tag.color = color->second.str();
    }
    return tags;
}

/// Returns the figures of the cut, so that `check` knows them when the model has been replaced; empty for a model without tags. The search
/// for the bound is left out of large models.
Result<std::string> projectFigures(const Invocation& invocation, const Program& program, const TagAssignment& tags,
                                   const ProjectFile& project)
{
    constexpr std::size_t kSearched = 20'000; ///< nodes
    if (tags.order.empty())
        return std::string();
    CutFiguresOptions options{.devices = project.devices, .timeLimit = kReportTimeLimit};
    options.measured = projectCosts(invocation, program);
    const SummaryBound bound = program.rootGraph().size() > kSearched ? SummaryBound::none : SummaryBound::search;
    SUNDER_TRY(const CutSummary summary, invocation.timer.measure("costs", [&] {
        return summarizeCut(program, tags, options, bound, invocation.monitor);
    }));
    return figuresText(summary, project);
}

Result<Outcome> runProject(const Invocation& invocation)
{
    const std::string path = invocation.value("o");
    if (!isProjectPath(path))
        return fail(ErrorCode::usage, "project needs -o PROJECT.sunder, a name that ends in .sunder");
    SUNDER_TRY(const Program program, readInput(invocation, invocation.files[0]));
    SUNDER_TRY(const ColoredTags tags,
               invocation.isSet("tags") ? readColoredTags(program, invocation.value("tags"))
                                        : Result<ColoredTags>(ownColoredTags(program)));
    SUNDER_TRY(std::vector<Device> devices, devicesFor(invocation));
    ProjectFile project = invocation.project.file.value_or(ProjectFile{});
    project.source = sourceAt(program.origin.file, path);
    project.source.program = program.origin.model;
    project.source.mark = markOf(program, invocation.monitor);
    if (invocation.project.transfer)
        project.lost = invocation.project.lost;
    project.identity = identityText(identityOf(program));
    project.tags = projectTags(program, tags, project.tags);
    project.devices = std::move(devices);
    if (invocation.isSet("assume"))
        // readInput() has checked the value
        project.sizes = parseAssumedSizes(invocation.value("assume")).value_or(project.sizes);
    if (invocation.isSet("operators"))
        project.operatorsFile = std::filesystem::absolute(invocation.value("operators")).lexically_normal().string();
    SUNDER_TRY(project.figures, projectFigures(invocation, program, tags.tags, project));
    SUNDER_PROPAGATE(invocation.timer.measure("write", [&] {
        return invocation.outputs.write(path, [&](const std::string& at) { return writeProjectFile(project, at); });
    }));
    std::size_t tagged = 0;
    for (const ProjectTag& tag : project.tags)
        tagged += tag.nodes.size();
    Outcome outcome;
    outcome.json.member("written", path);
    outcome.json.member("tags", project.tags.size());
    outcome.json.member("tagged", tagged);
    outcome.json.member("devices", project.devices.size());
    outcome.say("wrote " + path + ": " + formatCount(project.tags.size(), "tag") + " on " + formatCount(tagged, "node") + ", "
                + formatCount(project.devices.size(), "device"));
    return outcome;
}

} // namespace

Command projectCommand()
{
    return {"project", "IN", "Make a project from a model, its tags, devices, and assumed sizes.", joined({kProjectOptions}),
            runProject};
}

} // namespace sunder::cli
