#include "document/project_state.h"

#include "document/document.h"
#include "document/runs/make_runs.h"
#include "document/runs/moves_outcome.h"
#include "document/tag_edits.h"
#include "document/text.h"
#include "io/drawings/node_data.h"
#include "io/side_files/costs_file.h"
#include "io/side_files/cut_summary_file.h"
#include "io/side_files/identity_file.h"
#include "io/side_files/project_source.h"
#include "io/side_files/project_tags.h"
#include "io/side_files/rules_file.h"
#include "passes/balance/summarize_cut.h"
#include "support/json_tape.h"
#include "support/json_writer.h"
#include "text/amounts.h"

#include <QFileInfo>

#include <algorithm>

namespace sunder {
namespace {

constexpr qsizetype kLongestSource = 400; ///< characters of the names of costs

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

std::string optionsForFile(const PassOptions& options)
{
    JsonWriter json(0);
    json.object([&] {
        for (auto option = options.cbegin(); option != options.cend(); ++option) {
            json.key(option.key().toStdString());
            const QVariant& value = *option;
            switch (value.typeId()) {
            case QMetaType::Bool: json.value(value.toBool()); break;
            case QMetaType::Int: json.value(value.toInt()); break;
            case QMetaType::QStringList:
                json.list(value.toStringList(), [&json](const QString& item) { json.value(item.toStdString()); });
                break;
            default: json.value(value.toString().toStdString()); break;
            }
        }
    });
    return json.takeRaw();
}

/// Reads options; leaves out values of other types.
PassOptions optionsOfFile(const std::string& text)
{
    JsonTape tape;
    PassOptions options;
    if (!tape.parse(text, kMaxProjectDepth))
        return options;
    for (JsonValue key = tape.root().firstItem(); key; key = key.nextMember()) {
        const JsonValue value = key.memberValue();
        QVariant& option = options[exact(key.text())];
        switch (value.type()) {
        case JsonType::boolean: option = value.asBoolean(); break;
        case JsonType::integer: option = value.intOr(0); break;
        case JsonType::string: option = exact(value.text()); break;
        case JsonType::array: {
            QStringList all;
            for (JsonValue item = value.firstItem(); item; item = item.nextItem())
                if (item.is(JsonType::string))
                    all << exact(item.text());
            option = all;
            break;
        }
        default: options.remove(exact(key.text())); break;
        }
    }
    return options;
}

ProjectRun runForFile(const Run& run, const ProjectState& state)
{
    ProjectRun kept{.number = run.number,
                    .pass = run.result->pass.toStdString(),
                    .options = optionsForFile(run.result->options),
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

/// Replaces the costs of the project by those of the document. Costs that did not fit the model stay as they were read.
void keepCosts(const ProjectState& state, ProjectFile& file)
{
    const Program& program = state.snapshot->program;
    if (state.measured && !state.measured->sources.empty()) {
        file.costs = measuredCostsText(program, *state.measured);
        QStringList names;
        for (const std::string& source : state.measured->sources)
            if (const QString name = QFileInfo(text(source)).fileName(); !names.contains(name))
                names += name;
        file.costsSource = names.join(QStringLiteral(", ")).left(kLongestSource).toStdString();
    }
    if (state.numbers.empty())
        return;
    file.nodeData.clear();
    for (const CostFiguresPtr& numbers : state.numbers) {
        NodeData data{.name = numbers->name, .values = {}};
        for (const CostFigure& figure : numbers->nodes)
            data.values.push_back(figure.isKnown() ? std::optional(figure.value) : std::nullopt);
        data.values.resize(program.rootGraph().idBound());
        file.nodeData.push_back(nodeDataText(program, data));
        std::erase(file.nodeData.back(), '\n');
    }
}

/// Keeps the figures of the cut for `sunder-cli check`. The window is blocked while it saves, so the search for the bound, and large
/// models, are left to `sunder-cli project`.
void keepFigures(const ProjectState& state, ProjectFile& file)
{
    constexpr std::size_t kMeasuredNodes = 5'000;
    if (keptFigures(file))
        return;
    file.figures.clear();
    if (state.tags.tags.order.empty() || state.snapshot->graph().size() > kMeasuredNodes)
        return;
    CutFiguresOptions options{.devices = file.devices};
    if (state.measured)
        options.measured = *state.measured;
    if (const Result<CutSummary> summary = summarizeCut(state.snapshot->program, state.tags.tags, options, SummaryBound::none))
        file.figures = figuresText(*summary, file);
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
                       .shown = {},
                       .measured = document.costs().sharedMeasured(),
                       .numbers = document.costs().numbers()};
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
    keepCosts(state, file);
    file.devices = state.devices;
    file.notes = state.notes;
    for (const Run& run : state.runs)
        file.runs.push_back(runForFile(run, state));
    std::ranges::sort(file.runs, {}, &ProjectRun::number);
    keepFigures(state, file);
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

Result<PassWork> workOfKeptRun(const Document& document, const ProjectRun& run)
{
    if (run.partition) {
        const PartitionRequest request{
            .is2020 = run.partition->is2020, .asUpstream = run.partition->asUpstream, .config = run.partition->config};
        return PassWork([request](const SnapshotPtr& source, ProgressMonitor& monitor) {
            return asResult(makePartition(source, request, monitor));
        });
    }
    const Pass* pass = findPass(text(run.pass));
    if (pass == nullptr || pass->work == nullptr)
        return fail(ErrorCode::unsupported, "unknown pass \"" + run.pass + "\"");
    const PassOptions options = optionsOfFile(run.options);
    if (pass->workOn == nullptr)
        return pass->work(document, options);
    // Use the tags of the run, not the current tags.
    const TagAssignment tags = run.tags ? assignmentOf(document.graph(), *run.tags) : document.tags();
    return pass->workOn(tags, options);
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
    if (!project.costs.empty())
        all << QObject::tr("measured costs");
    if (!project.nodeData.empty())
        all << QObject::tr("node data");
    return all.join(QStringLiteral(", "));
}

} // namespace sunder
