// Lists the same tag problems as the window, and applies fixes.

#include "analysis/snapshot.h"
#include "analysis/tag_assignment.h"
#include "cli/command.h"
#include "cli/cut_report.h"
#include "cli/files.h"
#include "cli/project_input.h"
#include "cli/split_outputs.h"
#include "cli/tags.h"
#include "cli/verification.h"
#include "parts/part_checks.h"
#include "passes/split_by_tags/split_by_tags.h"
#include "support/file.h"
#include "support/format.h"
#include "support/text.h"
#include "tagging/problem.h"
#include "tagging/repair_all.h"
#include "tagging/tag_check.h"
#include "verify/verify.h"

#include <algorithm>
#include <ranges>
#include <utility>

namespace sunder::cli {
namespace {

/// Formats tag problems and their fixes as text and JSON. Graph and tags must outlive it.
class ProblemTexts final {
public:
    ProblemTexts(const Graph& graph, const TagAssignment& tags) : m_graph(graph), m_tags(tags) {}

    /// Returns "Move relu to a: 1 op, 0 B of weights"
    [[nodiscard]] std::string line(const Repair& repair) const;
    /// Writes the members of a fix.
    void write(const Repair& repair, JsonWriter& json) const;
    /// Returns all problems, each with its numbered fixes, and writes them as the member "problems".
    [[nodiscard]] std::vector<ReportItem> items(const Problems& problems, JsonWriter& json) const;

private:
    void writeNames(const std::vector<NodeId>& nodes, JsonWriter& json) const;
    void writeTags(const std::vector<int>& tags, JsonWriter& json) const;
    [[nodiscard]] ReportItem item(const Problem& problem, int& number, JsonWriter& json) const;
    [[nodiscard]] std::string tagName(int tag) const;

    const Graph& m_graph;
    const TagAssignment& m_tags;
};

const char* word(Severity severity)
{
    switch (severity) {
    case Severity::error: return "error";
    case Severity::warning: return "warning";
    case Severity::note: break;
    }
    return "note";
}

bool changesTags(const Repair& repair)
{
    return repair.kind != Repair::Kind::show;
}

/// Returns the fixes that change tags, in the order of the problems, numbered from 1.
std::vector<const Repair*> repairsOf(const Problems& problems)
{
    std::vector<const Repair*> repairs;
    for (const Problem& problem : problems)
        for (const Repair& repair : problem.repairs)
            if (changesTags(repair))
                repairs.push_back(&repair);
    return repairs;
}

std::string ProblemTexts::line(const Repair& repair) const
{
    if (repair.kind != Repair::Kind::reorder)
        return repair.label + ": " + formatCount(repair.calls, "op") + ", " + formatBytes(repair.bytes) + " of weights";
    std::string order;
    for (const int tag : repair.order)
        order += (order.empty() ? "" : ", ") + tagName(tag);
    return repair.label + ": " + order;
}

void ProblemTexts::write(const Repair& repair, JsonWriter& json) const
{
    json.member("kind", name(repair.kind));
    json.member("label", repair.label);
    json.member("calls", repair.calls);
    json.member("bytes", repair.bytes);
    if (repair.kind == Repair::Kind::retag) {
        json.key("nodes");
        writeNames(repair.nodes, json);
    }
    if (repair.kind == Repair::Kind::retag || repair.kind == Repair::Kind::removeTag || repair.kind == Repair::Kind::mergeTags)
        json.member("tag", tagName(repair.tag));
    if (!repair.emptied.empty()) {
        json.key("removes");
        writeTags(repair.emptied, json);
    }
    if (repair.kind == Repair::Kind::reorder || repair.kind == Repair::Kind::mergeTags) {
        json.key(repair.kind == Repair::Kind::reorder ? "order" : "merged");
        writeTags(repair.order, json);
    }
}

std::vector<ReportItem> ProblemTexts::items(const Problems& problems, JsonWriter& json) const
{
    std::vector<ReportItem> found;
    int number = 0;
    json.key("problems");
    json.list(problems, [&](const Problem& problem) { json.object([&] { found.push_back(item(problem, number, json)); }); });
    return found;
}

/// Returns a problem. Its first fix has the number after `number`.
ReportItem ProblemTexts::item(const Problem& problem, int& number, JsonWriter& json) const
{
    json.member("kind", name(problem.kind));
    json.member("severity", word(problem.severity));
    json.member("text", problem.text);
    json.key("nodes");
    writeNames(problem.nodes, json);
    if (problem.goesWith)
        json.member("goes_with", *problem.goesWith);
    ReportItem found{.text = std::string(word(problem.severity)) + ": " + problem.text};
    json.key("repairs");
    json.list(problem.repairs | std::views::filter(changesTags), [&](const Repair& repair) {
        found.below.push_back("fix " + std::to_string(++number) + ": " + line(repair));
        json.object([&] {
            json.member("repair", number);
            write(repair, json);
        });
    });
    for (const BlockedRepair& repair : problem.blocked)
        found.below.push_back(describe(repair));
    if (problem.blocked.empty())
        return found;
    json.key("blocked");
    json.list(problem.blocked, [&](const BlockedRepair& repair) {
        json.object([&] {
            json.member("label", repair.label);
            json.member("why", repair.why);
        });
    });
    return found;
}

void ProblemTexts::writeNames(const std::vector<NodeId>& nodes, JsonWriter& json) const
{
    json.list(nodes, [&](NodeId id) { json.value(m_graph[id].name.view()); });
}

void ProblemTexts::writeTags(const std::vector<int>& tags, JsonWriter& json) const
{
    json.list(tags, [&](int tag) { json.value(tagName(tag)); });
}

std::string ProblemTexts::tagName(int tag) const
{
    return m_tags.order[static_cast<std::size_t>(tag)].str();
}

constexpr CommandOption kCheckOptions[] = {
    {Takes::input, "tags", "TAGS.json", "Tag of each node, and the order of tags. Default: the tags in the model."},
    {Takes::text, "tag", "TAG", "Tag to offer for untagged ops. Default: the first."},
    {Takes::input, "devices", "DEVICES.json", "Devices for the parts, in order, to report parts that exceed their device."},
    flag("no-verify", "Skip verification of the parts."),
    {Takes::word, "parts-format", "pt2|fxj",
     "Format of the parts: pt2 or fxj. With pt2: report nodes of a plain torch.fx graph that a .pt2 cannot hold."},
    CommandOption{Takes::number, "repair", "N", "Apply fix number N, then check again."}
        .between(1, UINT32_MAX)
        .excluding("repair-all"),
    flag("repair-all", "Apply the cheapest fixes as long as they remove problems without adding any. Keep all tags."),
    flag("merge-tags", "With --repair-all: also apply fixes that remove tags.").needing("repair-all"),
    CommandOption{Takes::output, "o", "TAGS.json", "With --repair or --repair-all: tags file to write."}.needing(
        "repair repair-all"),
    {Takes::output, "markdown", "REPORT.md", "Write a report for a pull request: problems, changed ops, costs, and balance."},
    CommandOption{Takes::decimal, "time-limit", "SECONDS",
                  "Effort of the search for the least possible load, in seconds of a common processor. Default: 1."}
        .usually("1")
        .between(0.01, 86400)
        .needing("markdown changed-source"),
};

/// Tags with their colors and the other input of a check.
struct Checked {
    ColoredTags given;
    int active = -1; ///< tag suggested for untagged ops
    std::vector<Device> devices = {};
};

Result<int> activeTag(const Invocation& invocation, const TagAssignment& tags)
{
    if (!invocation.isSet("tag"))
        return tags.order.empty() ? -1 : 0;
    const InternedString wanted = intern(invocation.value("tag"));
    const auto at = std::find(tags.order.begin(), tags.order.end(), wanted);
    if (at == tags.order.end())
        return fail(ErrorCode::refused, "unknown tag \"" + wanted.str() + "\"");
    return static_cast<int>(at - tags.order.begin());
}

Result<Checked> readChecked(const Invocation& invocation, const Program& program)
{
    SUNDER_TRY(ColoredTags given,
               invocation.isSet("tags") ? readColoredTags(program, invocation.value("tags"))
                                        : Result<ColoredTags>(ownColoredTags(program)));
    SUNDER_TRY(const int active, activeTag(invocation, given.tags));
    Checked checked{std::move(given), active};
    SUNDER_TRY(std::vector<Device> devices, devicesFor(invocation));
    checked.devices = std::move(devices);
    return checked;
}

/// Verifies a split, and its parts individually.
Result<PartsProof> proofOf(const Invocation& invocation, const Program& source, const SplitResult& split)
{
    SUNDER_TRY(VerifyReport report, verifyResult(source, split.program, invocation.monitor));
    if (report.verdict == Verdict::same) {
        SUNDER_TRY(std::optional<PartsProof> parts, unprovenParts(source, split, invocation.monitor));
        if (parts)
            return std::move(*parts);
    }
    return PartsProof{std::move(report), split.map};
}

/// Problems of tags, and the assumptions of the proof of their split.
struct Answer {
    TagCheck found;
    std::vector<std::string> notes = {};
};

/// `proves`: also split legal tags and verify the parts.
Result<Answer> check(const Invocation& invocation, const Snapshot& snapshot, const Checked& checked, bool proves)
{
    const TagAssignment& tags = checked.given.tags;
    Answer answer{invocation.timer.measure(
        "pass", [&] { return checkOf(snapshot, tags, {.activeTag = checked.active}, {.devices = checked.devices}); })};
    TagCheck& found = answer.found;
    const bool wantsPt2 = partFormat(invocation) == PartFormat::pt2;
    const bool isNamed = std::ranges::find(found.problems, Problem::Kind::partName, &Problem::kind) == found.problems.end();
    if (!(proves || wantsPt2) || !found.report.isLegal() || !isNamed)
        return answer;
    SUNDER_TRY(const SplitResult split,
               invocation.timer.measure("pass", [&] { return splitByTags(snapshot.program, tags, {}, invocation.monitor); }));
    ProblemOptions options{.activeTag = checked.active, .fits = found.fits};
    std::vector<Error> forms;
    if (wantsPt2) {
        SUNDER_TRY(forms, invocation.timer.measure("pass", [&] {
            return partFormRefusals(snapshot.program, split, options.limit, invocation.monitor);
        }));
    }
    options.partForms = forms;
    Result<PartsProof> proof;
    if (proves) {
        proof = invocation.timer.measure("verify", [&] { return proofOf(invocation, snapshot.program, split); });
        SUNDER_PROPAGATE(proof);
        options.proof = {.report = &proof->report, .map = &proof->map};
        answer.notes = notesOf(proof->report);
    }
    found.problems = problemsOf(snapshot, *found.state, found.report, options);
    return answer;
}

/// Returns the fix with the number given by --repair, counted among the fixes that change tags.
Result<const Repair*> wantedRepair(const Invocation& invocation, const TagCheck& found)
{
    const std::uint32_t number = invocation.number("repair");
    const std::vector<const Repair*> repairs = repairsOf(found.problems);
    if (number > repairs.size())
        return fail(ErrorCode::refused,
                    "there is no fix " + std::to_string(number) + ": check lists " + formatCount(repairs.size(), "fix"));
    return repairs[number - 1];
}

/// Replaces the tags, keeps colors by tag name, and writes the result to -o if given.
Result<void> takeOver(const Invocation& invocation, const Snapshot& snapshot, TagAssignment after, Checked& checked,
                      Outcome& outcome)
{
    TagAssignment& tags = checked.given.tags;
    const InternedString active = checked.active < 0 ? InternedString() : tags.order[static_cast<std::size_t>(checked.active)];
    tags = std::move(after);
    const auto at = std::find(tags.order.begin(), tags.order.end(), active);
    checked.active = at != tags.order.end() ? static_cast<int>(at - tags.order.begin()) : tags.order.empty() ? -1 : 0;
    if (!invocation.isSet("o"))
        return {};
    const std::string path = invocation.value("o");
    outcome.say("wrote " + path);
    return invocation.timer.measure("write", [&] {
        return invocation.outputs.write(
            path, [&](const std::string& to) { return writeColoredTags(snapshot.program, checked.given, to); });
    });
}

/// Applies the requested fix and writes the tags to -o if given.
Result<void> repair(const Invocation& invocation, const Snapshot& snapshot, const TagCheck& found, Checked& checked,
                    Outcome& outcome)
{
    SUNDER_TRY(const Repair* const wanted, wantedRepair(invocation, found));
    const ProblemTexts texts(snapshot.graph(), checked.given.tags);
    outcome.json.key("repaired");
    outcome.json.object([&] { texts.write(*wanted, outcome.json); });
    outcome.say("fixed: " + texts.line(*wanted));
    SUNDER_TRY(TagAssignment after, repaired(snapshot, checked.given.tags, *wanted));
    return takeOver(invocation, snapshot, std::move(after), checked, outcome);
}

/// Applies fixes one after another and lists them.
Result<void> repairEverything(const Invocation& invocation, const Snapshot& snapshot, Checked& checked, Outcome& outcome)
{
    const RepairScope scope = invocation.isSet("merge-tags") ? RepairScope::removesTags : RepairScope::keepsTags;
    RepairPlan plan = invocation.timer.measure("pass", [&] {
        return repairAll(snapshot, checked.given.tags, {.activeTag = checked.active}, {.devices = checked.devices}, scope,
                         invocation.monitor);
    });
    for (const std::string& label : plan.labels)
        outcome.say("fixed: " + label);
    outcome.say(formatCount(plan.labels.size(), "fix") + ": " + formatCount(plan.calls, "op") + " retagged, "
                + formatBytes(plan.bytes) + " of weights");
    JsonWriter& json = outcome.json;
    json.key("repaired");
    json.object([&] {
        json.member("repairs", plan.labels);
        json.member("calls", plan.calls);
        json.member("bytes", plan.bytes);
        json.key("removed_tags");
        json.list(plan.removed, [&](InternedString tag) { json.value(tag.view()); });
    });
    return takeOver(invocation, snapshot, std::move(plan.tags), checked, outcome);
}

/// Returns e.g. "The cut does not hold: 24 ops without a tag, 1 error, 2 warnings".
std::string titleOf(const Problems& problems, const CutReport& report, bool isRefusedCut)
{
    std::size_t untagged = 0;
    for (const CutReport::Untagged& ops : report.untagged)
        untagged += ops.place.nodes.size();
    std::size_t errors = 0;
    std::size_t warnings = 0;
    for (const Problem& problem : problems) {
        const bool isAboutTags = problem.kind == Problem::Kind::untagged && untagged > 0;
        errors += problem.severity == Severity::error && !isAboutTags ? 1 : 0;
        warnings += problem.severity == Severity::warning ? 1 : 0;
    }
    std::string title = isRefusedCut ? "The cut does not hold" : "The cut holds";
    auto add = [&title, isFirst = true](std::size_t count, const char* noun, const char* more = "") mutable {
        if (count > 0)
            title += (std::exchange(isFirst, false) ? ": " : ", ") + formatCount(count, noun) + more;
    };
    add(untagged, "op", " without a tag");
    add(errors, "error");
    add(warnings, "warning");
    return title;
}

/// Returns the commands that accept a change: they keep the tags of the new export in the project. A cut that does not hold is fixed
/// first.
ReportSection acceptSection(const Invocation& invocation, const CutReport& report, bool isRefusedCut)
{
    const std::string project = shellWord(invocation.files[0]);
    std::string options = project;
    if (invocation.isSet("source"))
        options += " --source " + shellWord(invocation.value("source"));
    options += " --changed-source";
    if (report.isSuggested || report.hasSuggested)
        options += " --suggested";
    ReportSection section{.title = "Accept the change", .isFolded = true};
    if (isRefusedCut && !report.isSuggestedLegal) {
        section.title = "Fix the cut, and accept the change";
        section.commands.push_back("sunder-cli check " + options + " --repair-all -o tags.json");
        options += " --tags tags.json";
    }
    section.commands.push_back("sunder-cli project " + options + " -o accepted.sunder");
    section.commands.push_back("mv accepted.sunder " + project);
    return section;
}

/// The items of problems that count, and those of notes.
struct ProblemSections {
    ReportSection counted{.title = "Problems"};
    ReportSection notes{.title = "Notes on tags", .isFolded = true};
};

ProblemSections sectionsOf(const Problems& problems, std::vector<ReportItem> items)
{
    ProblemSections sections;
    for (std::size_t i = 0; i < items.size(); ++i)
        (problems[i].severity == Severity::note ? sections.notes : sections.counted).items.push_back(std::move(items[i]));
    return sections;
}

/// Adds the problems, and with --changed-source or --markdown the report about changes and figures.
Result<void> addAnswer(const Invocation& invocation, const Snapshot& snapshot, const Checked& checked, const Answer& answer,
                       Outcome& outcome)
{
    const Problems& problems = answer.found.problems;
    std::vector<ReportItem> items = ProblemTexts(snapshot.graph(), checked.given.tags).items(problems, outcome.json);
    const bool isOfProject = invocation.project.file && invocation.isSet("changed-source");
    if (!isOfProject && !invocation.isSet("markdown")) {
        if (items.empty())
            items.push_back({"No problems. Ready to split."});
        for (const ReportItem& item : items) {
            outcome.say(item.text);
            for (const std::string& below : item.below)
                outcome.say("  " + below);
        }
        return {};
    }
    SUNDER_TRY(const CutReport report, invocation.timer.measure("costs", [&] {
        return cutReport(invocation, snapshot, checked.given.tags, checked.devices);
    }));
    ReportPage page{.title = titleOf(problems, report, outcome.status != 0), .isGood = outcome.status == 0};
    ProblemSections sections = sectionsOf(problems, std::move(items));
    if (!sections.counted.items.empty())
        page.sections.push_back(std::move(sections.counted));
    addReport(invocation, report, page);
    if (!sections.notes.items.empty())
        page.sections.push_back(std::move(sections.notes));
    if (report.changes)
        page.sections.push_back(acceptSection(invocation, report, outcome.status != 0));
    page.notes = invocation.project.notes;
    page.notes.insert(page.notes.end(), answer.notes.begin(), answer.notes.end());
    writeReport(invocation, report, outcome.json);
    for (std::string& line : plainLines(page))
        outcome.say(std::move(line));
    if (!invocation.isSet("markdown"))
        return {};
    return invocation.outputs.write(invocation.value("markdown"),
                                    [text = markdownText(page)](const std::string& at) { return writeFileAtomically(at, text); });
}

Result<Outcome> runCheck(const Invocation& invocation)
{
    const bool repairsAll = invocation.isSet("repair-all");
    SUNDER_TRY(Program program, readInput(invocation, invocation.files[0]));
    const Snapshot snapshot(std::move(program));
    SUNDER_TRY(Checked checked, readChecked(invocation, snapshot.program));
    Outcome outcome;
    const bool repairs = repairsAll || invocation.isSet("repair");
    const bool proves = !invocation.isSet("no-verify");
    Result<Answer> answer = check(invocation, snapshot, checked, proves && !repairs);
    if (answer && repairs) {
        SUNDER_PROPAGATE(repairsAll ? repairEverything(invocation, snapshot, checked, outcome)
                                    : repair(invocation, snapshot, answer->found, checked, outcome));
        answer = check(invocation, snapshot, checked, proves);
    }
    SUNDER_PROPAGATE(answer);
    const TagCheck& found = answer->found;
    const bool isLegal = found.report.isLegal();
    outcome.status = isLegal && std::ranges::none_of(found.problems, isRefused) ? 0 : 1;
    outcome.json.member("legal", isLegal);
    SUNDER_PROPAGATE(addAnswer(invocation, snapshot, checked, *answer, outcome));
    outcome.note(answer->notes);
    return outcome;
}

} // namespace

Command checkCommand()
{
    return {"check", "IN", "Check whether a model can be split by its tags, and fix problems.", joined({kCheckOptions}),
            runCheck};
}

} // namespace sunder::cli
