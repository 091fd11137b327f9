#include "cli/cut_report.h"

#include "analysis/cost/cost_figures.h"
#include "cli/old_export.h"
#include "cli/timed_costs.h"
#include "io/model_file.h"
#include "io/side_files/cut_summary_file.h"
#include "io/side_files/project_tags.h"
#include "passes/balance/summarize_cut.h"
#include "support/format.h"
#include "support/version.h"
#include "tagging/tag_check.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>
#include <filesystem>
#include <map>

namespace sunder::cli {
namespace {

using Column = ReportTable::Column;
using Part = CutSummary::Part;

constexpr double kSmallestChange = 0.0005; ///< relative; smaller ones are not shown

std::string tagText(const CutReport& report, std::int32_t tag)
{
    return tag < 0 ? std::string() : report.order[static_cast<std::size_t>(tag)].str();
}

std::string percentChange(double share)
{
    std::array<char, 32> text{};
    std::snprintf(text.data(), text.size(), std::abs(share) < 0.1 ? "%+.1f %%" : "%+.0f %%", 100 * share);
    return text.data();
}

/// Returns "1.2 ms → 1.4 ms (+17 %)", or one figure if it is the same, or if one of them is unknown.
template <typename Number, typename Format>
std::string changeText(const std::optional<Number>& before, const std::optional<Number>& after, const Format& format)
{
    if (!after)
        return before ? format(*before) + " → unknown" : "unknown";
    if (!before)
        return format(*after);
    const auto from = static_cast<double>(*before);
    const auto to = static_cast<double>(*after);
    if (from == to || (from > 0 && std::abs(to / from - 1) < kSmallestChange))
        return format(*after);
    return format(*before) + " → " + format(*after) + (from > 0 ? " (" + percentChange(to / from - 1) + ")" : "");
}

std::string flopText(std::uint64_t flops)
{
    return costText(CostUnit::flop, static_cast<double>(flops));
}

std::string opsText(std::uint64_t count)
{
    return formatCount(count);
}

std::string ratioText(double ratio)
{
    return costText(CostUnit::number, std::round(ratio * 100) / 100);
}

std::string gapText(double gap)
{
    std::array<char, 32> text{};
    std::snprintf(text.data(), text.size(), "%.2g %%", 100 * gap);
    return gap <= 0 ? "0 %" : text.data();
}

/// Returns the figures of the cut of a project on the model that it was made for; nothing if that is no longer there.
Result<std::optional<CutSummary>> summaryOfOldModel(const Invocation& invocation, const ProjectFile& project, const Program& now,
                                                    CutFiguresOptions options)
{
    const std::optional<std::string> path = findSource(project.source, invocation.files[0]);
    std::error_code error;
    if (!path || std::filesystem::equivalent(*path, now.origin.file, error))
        return std::nullopt;
    Result<Program> old = readModel(*path, {.model = project.source.program}, invocation.monitor);
    if (!old || markOf(*old, invocation.monitor).graph != project.source.mark.graph || !assumeSizes(*old, project.sizes))
        return std::nullopt;
    options.measured = projectCosts(invocation, *old);
    const TagAssignment tags = assignmentOf(old->rootGraph(), project.tags);
    SUNDER_TRY(CutSummary summary, summarizeCut(*old, tags, options, SummaryBound::search, invocation.monitor));
    return summary;
}

/// `compared`: the project, with the devices and sizes of this command. The figures that it keeps must be of these.
Result<void> addFiguresBefore(const Invocation& invocation, const ProjectFile& compared, const Program& program,
                              const CutFiguresOptions& options, CutReport& report)
{
    report.before = keptFigures(compared);
    if (report.before) {
        report.beforeFrom = "project";
        return {};
    }
    SUNDER_TRY(report.before, summaryOfOldModel(invocation, compared, program, options));
    if (report.before)
        report.beforeFrom = "model";
    else
        report.whyNoBefore = "The figures of the previous export are unknown: "
            + std::string(compared.figures.empty() ? "the project does not keep them"
                                                   : "those that the project keeps are of other tags, devices, or sizes")
            + ", and its model is gone. Make the project again with sunder-cli project.";
    return {};
}

/// Groups the ops without a tag by the suggested tag and by module.
std::vector<CutReport::Untagged> untaggedOps(const Program& program, const TagAssignment& tags, const ExportTransfer* transfer)
{
    const GraphIdentity graph = transfer != nullptr ? transfer->now : identityOf(program);
    std::vector<std::int32_t> suggestions(graph.nodes.size(), TagAssignment::kUntagged);
    if (transfer != nullptr)
        for (std::size_t i = 0; i < transfer->alignment.calls.size(); ++i)
            suggestions[transfer->alignment.calls[i].node] = transfer->carried.calls[i].suggestion;
    std::map<std::int32_t, std::vector<std::uint32_t>> nodes;
    const std::vector<NodeId> ids = program.rootGraph().order();
    for (std::uint32_t node = 0; node < ids.size(); ++node)
        if (program.rootGraph()[ids[node]].isCall() && tags[ids[node]] < 0)
            nodes[suggestions[node]].push_back(node);
    std::vector<CutReport::Untagged> untagged;
    for (const auto& [suggestion, list] : nodes)
        for (FoldedPlace& place : foldedPlaces(graph, list)) {
            std::string operators = operatorsText(graph, place.nodes);
            untagged.push_back({std::move(place), suggestion, std::move(operators)});
        }
    std::ranges::stable_sort(untagged, [](const CutReport::Untagged& a, const CutReport::Untagged& b) {
        return a.place.nodes.size() > b.place.nodes.size();
    });
    return untagged;
}

/// Returns the tags with the suggestions, and notes what a check of them says; the tags themselves if an op has no suggestion.
TagAssignment withSuggestions(const Snapshot& snapshot, const TagAssignment& tags, const std::vector<Device>& devices,
                              const ExportTransfer* transfer, CutReport& report)
{
    const auto hasNone = [](const CutReport::Untagged& ops) { return ops.suggestion < 0; };
    if (transfer == nullptr || report.untagged.empty() || tags.order != transfer->order
        || std::ranges::any_of(report.untagged, hasNone))
        return tags;
    TagAssignment filled = tags;
    const std::vector<NodeId> ids = snapshot.graph().order();
    for (const CutReport::Untagged& ops : report.untagged)
        for (const std::uint32_t node : ops.place.nodes)
            filled.tagOf[ids[node].index()] = ops.suggestion;
    const TagCheck found = checkOf(snapshot, filled, {}, {.devices = devices});
    const auto errors = static_cast<std::size_t>(std::ranges::count_if(found.problems, isRefused));
    report.isSuggestedLegal = errors == 0;
    report.suggestedText = "Every op without a tag has a suggested one. With these, the cut "
        + (errors == 0 ? std::string("holds: use --suggested.") : "has " + formatCount(errors, "error") + ".");
    report.isSuggested = true;
    return filled;
}

std::string changeWord(const ModelChange& change)
{
    switch (change.kind) {
    case ModelChangeKind::added: return "new";
    case ModelChangeKind::lost: return "lost";
    case ModelChangeKind::undecided: return change.isEitherWay ? "undecided, same tag" : "undecided";
    case ModelChangeKind::replaced:
        return change.replaced.empty() ? "replacement" : "replacement of " + formatCount(change.replaced.size(), "op");
    case ModelChangeKind::moved: return "moved: other inputs";
    case ModelChangeKind::renamed: return "renamed module";
    case ModelChangeKind::resized: break;
    }
    return "other shapes";
}

/// Counts the ops of each kind of change: "24 new, 6 lost, 2 moved".
std::string countsOf(const ModelChanges& changes)
{
    constexpr std::array<std::string_view, 7> kWords{
        " new", " lost", " undecided", " replacements", " moved", " in renamed modules", " with other shapes"};
    std::array<std::size_t, kWords.size()> counts{};
    for (const ModelChange& change : changes.changes)
        counts[static_cast<std::size_t>(change.kind)] += change.nodes.size();
    std::string text = formatCount(changes.unchanged) + " unchanged";
    for (std::size_t kind = 0; kind < kWords.size(); ++kind)
        if (counts[kind] > 0)
            text += ", " + formatCount(counts[kind]) + std::string(kWords[kind]);
    return text;
}

/// Returns the tag of changed ops, or the suggestion for ops without one.
std::string tagCell(const CutReport& report, std::int32_t tag, std::int32_t suggestion)
{
    if (tag >= 0 || suggestion < 0)
        return tag >= 0 ? tagText(report, tag) : "none";
    return report.hasSuggested ? tagText(report, suggestion) + " (suggested)" : "none; " + tagText(report, suggestion) + "?";
}

constexpr Column::Kind kFigure = Column::Kind::figure;
constexpr Column::Kind kName = Column::Kind::name;

ReportSection untaggedSection(const CutReport& report)
{
    ReportSection section{.title = "Ops without a tag", .table = {}};
    section.table.columns = {{"Module", kName}, {"Ops", kFigure}, {"Operators", kName}, {"Tag", kName}};
    for (const CutReport::Untagged& ops : report.untagged)
        section.table.rows.push_back({ops.place.place, formatCount(ops.place.nodes.size()), ops.operators,
                                      tagCell(report, TagAssignment::kUntagged, ops.suggestion)});
    return section;
}

/// Lists the changes, those that leave ops without a tag first.
ReportSection changesSection(const CutReport& report)
{
    ReportSection section{.title = "Changed ops", .table = {}};
    section.table.columns = {{"Change"}, {"Module", kName}, {"Ops", kFigure}, {"Operators", kName}, {"Tag", kName}};
    const auto add = [&](bool isTagged) {
        for (const ModelChange& change : report.changes->changes)
            if ((change.tag >= 0 || change.kind == ModelChangeKind::lost) == isTagged)
                section.table.rows.push_back(
                    {changeWord(change), change.from.empty() ? change.place : change.from + " → " + change.place,
                     formatCount(change.nodes.size()), change.operators, tagCell(report, change.tag, change.suggestion)});
    };
    add(false);
    add(true);
    return section;
}

/// Returns whether ops without a tag are not among the changes.
bool hasMoreUntagged(const CutReport& report)
{
    if (!report.changes)
        return !report.untagged.empty();
    std::size_t listed = 0;
    for (const ModelChange& change : report.changes->changes)
        listed += change.tag < 0 && change.kind != ModelChangeKind::lost ? change.nodes.size() : 0;
    std::size_t untagged = 0;
    for (const CutReport::Untagged& ops : report.untagged)
        untagged += ops.place.nodes.size();
    return untagged > listed;
}

/// Returns the ops that a tag had in the previous export; nothing without one.
std::optional<std::uint64_t> opsBefore(const CutReport& report, const std::string& tag)
{
    if (report.before) {
        const Part* part = report.before->part(tag);
        return part != nullptr ? part->ops : 0;
    }
    for (std::size_t i = 0; i < std::min(report.order.size(), report.tagged.size()); ++i)
        if (report.order[i].view() == tag)
            return report.tagged[i];
    return std::nullopt;
}

ReportSection partsSection(const CutReport& report)
{
    ReportSection section{.title = "Parts", .table = {}};
    section.table.columns = {{"Part", kName},    {"Ops", kFigure},         {"FLOPs", kFigure}, {"Weights", kFigure},
                             {"Sends", kFigure}, {"Peak memory", kFigure}, {"Load", kFigure}};
    if (report.isSuggested)
        section.sentences.emplace_back("With the suggested tags:");
    const auto add = [&](const std::string& tag, const Part* was, const Part* is) {
        const auto cell = [&](auto member, const auto& format) -> std::string {
            const auto of = [member](const Part* part) { return part != nullptr ? std::optional(part->*member) : std::nullopt; };
            return is == nullptr ? "gone" : changeText(of(was), of(is), format);
        };
        const std::optional<std::uint64_t> now = is ? is->ops : 0;
        section.table.rows.push_back({tag, changeText(report.changes ? opsBefore(report, tag) : std::nullopt, now, opsText),
                                      cell(&Part::flops, flopText), cell(&Part::weights, formatBytes),
                                      cell(&Part::sends, formatBytes), cell(&Part::peak, formatBytes),
                                      cell(&Part::load, formatSeconds)});
    };
    for (const Part& part : report.after.parts)
        add(part.name, report.before ? report.before->part(part.name) : nullptr, &part);
    if (report.before)
        for (const Part& part : report.before->parts)
            if (report.after.part(part.name) == nullptr)
                add(part.name, &part, nullptr);
    section.isFolded = report.before && report.before->parts == report.after.parts;
    if (section.isFolded)
        section.title = "Parts: no change";
    if (report.after.slowest() == nullptr)
        section.sentences.push_back("No loads: " + report.after.whyNoLoads);
    if (!report.whyNoBefore.empty())
        section.sentences.push_back(report.whyNoBefore);
    if (report.before && !report.before->by.empty() && report.before->by != version())
        section.sentences.push_back("The figures before were computed by Sunder " + report.before->by
                                    + ", which may count differently.");
    return section;
}

std::optional<std::uint64_t> largestPeak(const CutSummary& summary)
{
    std::optional<std::uint64_t> most;
    for (const Part& part : summary.parts)
        most = std::max(most.value_or(0), part.peak);
    return most;
}

bool isSame(CutSummary before, const CutSummary& after)
{
    before.by = after.by;
    return before == after;
}

ReportSection totalsSection(const CutReport& report)
{
    ReportSection section{.title = "Totals", .table = {}};
    section.table.columns = {{"Figure"}, {report.before ? "Before → after" : "Now", kFigure}};
    const auto add = [&](const char* what, const auto& of, const auto& format) {
        using Number = typename std::remove_cvref_t<decltype(of(report.after))>::value_type;
        const std::optional<Number> after = of(report.after);
        const std::optional<Number> before = report.before ? of(*report.before) : std::nullopt;
        if (after || before)
            section.table.rows.push_back({what, changeText(before, after, format)});
    };
    add("Bytes between parts", [](const CutSummary& cut) { return std::optional(cut.crossing); }, formatBytes);
    if (report.after.duplicated > 0 || (report.before && report.before->duplicated > 0))
        add("Weights stored more than once", [](const CutSummary& cut) { return std::optional(cut.duplicated); }, formatBytes);
    add("Largest peak memory", largestPeak, formatBytes);
    add("Imbalance of memory", [](const CutSummary& cut) { return std::optional(cut.memoryImbalance); }, ratioText);
    add(
        "Largest load", [](const CutSummary& cut) { return cut.slowest() != nullptr ? cut.slowest()->load : std::nullopt; },
        formatSeconds);
    add("Imbalance of loads", [](const CutSummary& cut) { return cut.loadImbalance(); }, ratioText);
    add("Least possible load", [](const CutSummary& cut) { return cut.bound; }, formatSeconds);
    section.isFolded = report.before && isSame(*report.before, report.after);
    if (section.isFolded)
        section.title = "Totals: no change";
    return section;
}

/// Says how far the cut is from the best one.
std::string balanceText(const CutReport& report)
{
    const Part* slowest = report.after.slowest();
    if (slowest == nullptr)
        return {};
    const auto distance = [](const CutSummary& cut) {
        const std::optional<double> gap = cut.gap();
        return !gap     ? std::string("no bound is known")
            : *gap <= 0 ? std::string("no cut is faster")
                        : "at most " + gapText(*gap) + " above the best cut";
    };
    const Part* before = report.before ? report.before->slowest() : nullptr;
    std::string text = "Largest load: "
        + changeText(before != nullptr ? before->load : std::nullopt, slowest->load, formatSeconds) + ", of " + slowest->name;
    text += "; " + distance(report.after);
    if (report.before && report.before->bound && distance(*report.before) != distance(report.after))
        text += " (before: " + distance(*report.before) + ")";
    return text + ".";
}

} // namespace

Result<CutReport> cutReport(const Invocation& invocation, const Snapshot& snapshot, const TagAssignment& tags,
                            const std::vector<Device>& devices)
{
    const Program& program = snapshot.program;
    const ExportTransfer* transfer = invocation.project.transfer.get();
    CutReport report{.model = program.origin.file, .order = transfer != nullptr ? transfer->order : tags.order};
    for (const NodeId id : program.rootGraph().order()) {
        report.names.push_back(program.rootGraph()[id].name.str());
        report.ops += program.rootGraph()[id].isCall() ? 1 : 0;
    }
    if (transfer != nullptr)
        report.changes = modelChanges(transfer->old, transfer->now, transfer->alignment, transfer->carried, transfer->oldTags);
    report.hasSuggested = invocation.isSet("suggested");
    report.untagged = untaggedOps(program, tags, transfer);
    const TagAssignment measured = withSuggestions(snapshot, tags, devices, transfer, report);
    CutFiguresOptions options{.devices = devices, .timeLimit = invocation.options.value(QStringLiteral("time-limit")).toDouble()};
    options.measured = projectCosts(invocation, program);
    SUNDER_TRY(report.after, summarizeCut(program, measured, options, SummaryBound::search, invocation.monitor));
    if (!invocation.project.file)
        return report;
    ProjectFile project = *invocation.project.file;
    for (const ProjectTag& tag : project.tags)
        report.tagged.push_back(tag.nodes.size());
    if (!invocation.project.change || !invocation.project.change->isOfGraph)
        return report;
    project.devices = devices;
    if (invocation.isSet("assume"))
        project.sizes = parseAssumedSizes(invocation.value("assume")).value_or(project.sizes);
    SUNDER_PROPAGATE(addFiguresBefore(invocation, project, program, options, report));
    return report;
}

void addReport(const Invocation& invocation, const CutReport& report, ReportPage& page)
{
    std::string subject = invocation.files[0];
    if (invocation.project.file)
        subject += " on " + std::filesystem::path(report.model).filename().string();
    subject += ": " + formatCount(report.after.parts.size(), "part") + ", " + formatCount(report.ops, "op");
    if (const std::optional<SourceChange>& change = invocation.project.change)
        subject += "; the model has changed: " + change->text;
    else if (invocation.project.file)
        subject += "; the model has not changed";
    page.sentences.push_back(subject + ".");
    if (report.changes)
        page.sentences.push_back("Ops: " + countsOf(*report.changes) + ".");
    if (report.isSuggested)
        page.sentences.push_back(report.suggestedText);
    if (const std::string balance = balanceText(report); !balance.empty())
        page.sentences.push_back(balance);
    if (hasMoreUntagged(report))
        page.sections.push_back(untaggedSection(report));
    if (report.changes && !report.changes->changes.empty())
        page.sections.push_back(changesSection(report));
    page.sections.push_back(partsSection(report));
    page.sections.push_back(totalsSection(report));
    ReportSection assumptions{.title = "Assumptions of loads", .isFolded = true};
    for (const std::string& one : report.after.assumptions)
        assumptions.items.push_back({one});
    if (!assumptions.items.empty())
        page.sections.push_back(std::move(assumptions));
}

void writeReport(const Invocation& invocation, const CutReport& report, JsonWriter& json)
{
    const auto writeTag = [&](const char* key, std::int32_t tag) {
        if (tag >= 0)
            json.member(key, tagText(report, tag));
    };
    json.key("source");
    json.object([&] {
        json.member("file", report.model);
        json.member("changed", invocation.project.change.has_value());
        json.member("graph_changed", invocation.project.change && invocation.project.change->isOfGraph);
        if (invocation.project.change)
            json.member("why", invocation.project.change->text);
    });
    if (report.changes) {
        const ExportTransfer& transfer = *invocation.project.transfer;
        json.key("changes");
        json.object([&] {
            writeMatchCounts(reportOf(transfer), json);
            json.member("unchanged", report.changes->unchanged);
            json.key("groups");
            json.list(report.changes->changes, [&](const ModelChange& change) {
                const GraphIdentity& graph = change.kind == ModelChangeKind::lost ? transfer.old : transfer.now;
                json.object([&] {
                    json.member("change", name(change.kind));
                    json.member("place", change.place);
                    json.memberIfAny("from", change.from);
                    writeTag("tag", change.tag);
                    writeTag("suggestion", change.suggestion);
                    if (change.isEitherWay)
                        json.member("either_way", true);
                    json.key("nodes");
                    json.list(change.nodes, [&](std::uint32_t node) { json.value(graph.nodes[node].name.view()); });
                });
            });
        });
    }
    json.key("untagged");
    json.list(report.untagged, [&](const CutReport::Untagged& ops) {
        json.object([&] {
            json.member("place", ops.place.place);
            writeTag("suggestion", ops.suggestion);
            json.key("nodes");
            json.list(ops.place.nodes, [&](std::uint32_t node) { json.value(report.names[node]); });
        });
    });
    json.key("figures");
    json.object([&] {
        if (report.before) {
            json.member("before_from", report.beforeFrom);
            json.key("before");
            json.object([&] { writeCutSummary(*report.before, json); });
        }
        json.memberIfAny("why_no_before", report.whyNoBefore);
        json.key("after");
        json.object([&] { writeCutSummary(report.after, json); });
    });
}

} // namespace sunder::cli
