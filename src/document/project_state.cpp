#include "document/project_state.h"

#include "document/document.h"
#include "document/runs/moves_outcome.h"
#include "document/tag_edits.h"
#include "document/text.h"
#include "io/side_files/identity_file.h"
#include "io/side_files/project_source.h"
#include "io/side_files/project_tags.h"
#include "io/side_files/rules_file.h"
#include "text/amounts.h"

#include <QJsonDocument>
#include <QJsonObject>

#include <algorithm>

namespace sunder {
namespace {

std::vector<ProjectTag> withTraits(std::vector<ProjectTag> tags, const std::vector<TagTraits>& allTraits)
{
    for (std::size_t i = 0; i < tags.size() && i < allTraits.size(); ++i) {
        const TagTraits& traits = allTraits[i];
        tags[i].hue = traits.color.hue;
        tags[i].isHueChosen = traits.color.isChosen;
        if (traits.color.own.isValid())
            tags[i].color = traits.color.own.name().toStdString();
        tags[i].code = traits.code.toStdString();
        tags[i].isLocked = traits.isLocked;
        tags[i].isHidden = traits.isHidden;
    }
    return tags;
}

ProjectLostTags lostForFile(const OldTags& lost)
{
    std::vector<ProjectTag> tags;
    for (const InternedString name : lost.order)
        tags.push_back({.name = name});
    for (const auto& [node, name] : lost.tags)
        if (const auto tag = std::ranges::find(tags, name, &ProjectTag::name); tag != tags.end())
            tag->nodes.push_back(node);
    return {.identity = identityText(lost.identity), .tags = withTraits(std::move(tags), lost.traits)};
}

/// Returns the tags that a run was made from, or null.
const TagAssignment* tagsBehind(const Run& run)
{
    if (const SplitOutcomePtr split = as<SplitOutcomePtr>(run.result))
        return split->madeFrom ? &*split->madeFrom : nullptr;
    const MovesOutcomePtr moves = as<MovesOutcomePtr>(run.result);
    return moves ? &moves->before : nullptr;
}

ProjectRun runForFile(const Run& run, const ProjectState& state)
{
    ProjectRun kept{
        .number = run.number,
        .pass = run.result->pass.toStdString(),
        .options = QJsonDocument(QJsonObject::fromVariantMap(run.result->options)).toJson(QJsonDocument::Compact).toStdString(),
        .name = run.name.toStdString(),
        .isShown = std::ranges::find(state.shown, run.number) != state.shown.end()};
    const TagAssignment* tags = tagsBehind(run);
    if (tags != nullptr && (tags->order != state.tags.tags.order || tags->tagOf != state.tags.tags.tagOf))
        kept.tags = projectTagsOf(state.snapshot->graph(), *tags);
    if (const SplitOutcomePtr split = as<SplitOutcomePtr>(run.result); split && split->plan) {
        const PartitionRequest& request = split->plan->request;
        kept.partition = ProjectPartition{.is2020 = request.is2020, .asUpstream = request.asUpstream, .config = request.config};
    }
    return kept;
}

} // namespace

TagTraits traitsOfTag(const ProjectTag& tag, std::size_t place)
{
    TagTraits traits{.code = text(tag.code), .isLocked = tag.isLocked, .isHidden = tag.isHidden};
    traits.color = {.hue = tag.hue.value_or(static_cast<std::uint32_t>(place)), .isChosen = tag.isHueChosen};
    if (!tag.color.empty())
        traits.color.own = QColor(text(tag.color));
    return traits;
}

ProjectState projectStateOf(const Document& document)
{
    ProjectState state{.snapshot = document.snapshot(),
                       .modelPath = document.filePath(),
                       .programName = document.programName(),
                       .tags = document.tagState(),
                       .rules = document.basis().rules,
                       .lost = document.basis().lost,
                       .devices = document.devices().list(),
                       .notes = document.notes().list(),
                       .runs = document.runs().list(),
                       .shown = {}};
    for (const Run* run : document.runs().allShown())
        state.shown.push_back(run->number);
    return state;
}

ProjectFile projectFileOf(const ProjectState& state, const QString& path)
{
    ProjectFile file = state.rest;
    file.source = sourceAt(state.modelPath.toStdString(), path.toStdString());
    file.source.program = state.programName.toStdString();
    file.source.mark = state.mark ? *state.mark : markOf(state.snapshot->program);
    file.tags = withTraits(projectTagsOf(state.snapshot->graph(), state.tags.tags), state.tags.traits);
    file.activeTag = {};
    if (const int active = state.tags.active; active >= 0 && active < static_cast<int>(state.tags.tags.order.size()))
        file.activeTag = state.tags.tags.order[static_cast<std::size_t>(active)];
    file.protectsTagged = state.tags.protectsTagged;
    file.isBackwardApart = !state.tags.backwardFollows;
    file.identity = identityText(identityOf(state.snapshot->program));
    file.rules = state.rules.empty() ? std::string() : rulesText(state.rules);
    file.lost.clear();
    for (const OldTagsPtr& lost : state.lost)
        file.lost.push_back(lostForFile(*lost));
    file.devices = state.devices;
    file.notes = state.notes;
    for (const Run& run : state.runs)
        file.runs.push_back(runForFile(run, state));
    std::ranges::sort(file.runs, {}, &ProjectRun::number);
    return file;
}

LoadedTags tagsOfProject(const ProjectFile& project, const Snapshot& snapshot, const QString& path)
{
    LoadedTags loaded{.tags = assignmentOf(snapshot.graph(), project.tags), .path = path};
    loaded.backwardFollows = !project.isBackwardApart;
    for (std::size_t i = 0; i < project.tags.size(); ++i)
        loaded.traits.push_back(traitsOfTag(project.tags[i], i));
    if (!loaded.tags.unknownNodes.empty())
        loaded.note = QObject::tr("Not in the model: %1 of the project, starting with %2.")
                          .arg(countText(loaded.tags.unknownNodes.size(), "node"),
                               text(loaded.tags.unknownNodes.front().first.str()));
    return loaded;
}

QString holdsText(const ProjectFile& project)
{
    std::size_t tagged = 0;
    for (const ProjectTag& tag : project.tags)
        tagged += tag.nodes.size();
    QStringList all{QObject::tr("%1 on %2").arg(countText(project.tags.size(), "tag"), countText(tagged, "op"))};
    const auto add = [&all](std::size_t count, const char* noun) {
        if (count > 0)
            all << countText(count, noun);
    };
    add(project.devices.size(), "device");
    add(project.runs.size(), "run");
    add(project.bookmarks.size(), "bookmark");
    add(project.notes.size(), "note");
    add(project.sizes.size(), "assumed size");
    return all.join(QStringLiteral(", "));
}

} // namespace sunder
