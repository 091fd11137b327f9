// Lists the same tag problems as the window, and applies fixes.

#include "analysis/snapshot.h"
#include "analysis/tag_assignment.h"
#include "cli/command.h"
#include "cli/files.h"
#include "cli/project_input.h"
#include "cli/split_outputs.h"
#include "cli/tags.h"
#include "cli/verification.h"
#include "parts/part_checks.h"
#include "passes/split_by_tags/split_by_tags.h"
#include "passes/verify_result.h"
#include "support/format.h"
#include "tagging/problem.h"
#include "tagging/repair_all.h"
#include "tagging/tag_check.h"

#include <QJsonArray>

#include <algorithm>

namespace sunder::cli {
namespace {

/// Formats tag problems and their fixes as text and JSON. Graph and tags must outlive it.
class ProblemTexts final {
public:
    ProblemTexts(const Graph& graph, const TagAssignment& tags) : m_graph(graph), m_tags(tags) {}

    /// Returns "Move relu to a: 1 op, 0 B of weights"
    [[nodiscard]] std::string line(const Repair& repair) const;
    [[nodiscard]] QJsonObject json(const Repair& repair) const;
    /// Adds all problems, each with its numbered fixes.
    void add(const Problems& problems, Outcome& outcome) const;

private:
    [[nodiscard]] QJsonArray names(const std::vector<NodeId>& nodes) const;
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

QJsonObject ProblemTexts::json(const Repair& repair) const
{
    QJsonObject json{{QStringLiteral("kind"), text(name(repair.kind))},
                     {QStringLiteral("label"), text(repair.label)},
                     {QStringLiteral("calls"), static_cast<qint64>(repair.calls)},
                     {QStringLiteral("bytes"), static_cast<qint64>(repair.bytes)}};
    if (repair.kind == Repair::Kind::retag)
        json[QStringLiteral("nodes")] = names(repair.nodes);
    if (repair.kind == Repair::Kind::retag || repair.kind == Repair::Kind::removeTag || repair.kind == Repair::Kind::mergeTags)
        json[QStringLiteral("tag")] = text(tagName(repair.tag));
    QJsonArray emptied;
    for (const int tag : repair.emptied)
        emptied.append(text(tagName(tag)));
    if (!emptied.isEmpty())
        json[QStringLiteral("removes")] = emptied;
    if (repair.kind == Repair::Kind::reorder || repair.kind == Repair::Kind::mergeTags) {
        QJsonArray order;
        for (const int tag : repair.order)
            order.append(text(tagName(tag)));
        json[repair.kind == Repair::Kind::reorder ? QStringLiteral("order") : QStringLiteral("merged")] = order;
    }
    return json;
}

void ProblemTexts::add(const Problems& problems, Outcome& outcome) const
{
    if (problems.empty())
        outcome.say("No problems. Ready to split.");
    QJsonArray all;
    int number = 0;
    for (const Problem& problem : problems) {
        outcome.say(std::string(word(problem.severity)) + ": " + problem.text);
        QJsonArray repairs;
        for (const Repair& repair : problem.repairs) {
            if (!changesTags(repair))
                continue;
            outcome.say("  fix " + std::to_string(++number) + ": " + line(repair));
            QJsonObject one = json(repair);
            one[QStringLiteral("repair")] = number;
            repairs.append(one);
        }
        QJsonArray blocked;
        for (const BlockedRepair& repair : problem.blocked) {
            outcome.say("  " + describe(repair));
            blocked.append(QJsonObject{{QStringLiteral("label"), text(repair.label)}, {QStringLiteral("why"), text(repair.why)}});
        }
        QJsonObject one{{QStringLiteral("kind"), text(name(problem.kind))},
                        {QStringLiteral("severity"), QLatin1String(word(problem.severity))},
                        {QStringLiteral("text"), text(problem.text)},
                        {QStringLiteral("nodes"), names(problem.nodes)},
                        {QStringLiteral("repairs"), repairs}};
        if (!blocked.isEmpty())
            one[QStringLiteral("blocked")] = blocked;
        if (problem.goesWith)
            one[QStringLiteral("goes_with")] = static_cast<qint64>(*problem.goesWith);
        all.append(one);
    }
    outcome.json[QStringLiteral("problems")] = all;
}

QJsonArray ProblemTexts::names(const std::vector<NodeId>& nodes) const
{
    QJsonArray names;
    for (const NodeId id : nodes)
        names.append(text(m_graph[id].name.view()));
    return names;
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
    outcome.json[QStringLiteral("repaired")] = texts.json(*wanted);
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
    QJsonArray labels;
    for (const std::string& label : plan.labels) {
        outcome.say("fixed: " + label);
        labels.append(text(label));
    }
    outcome.say(formatCount(plan.labels.size(), "fix") + ": " + formatCount(plan.calls, "op") + " retagged, "
                + formatBytes(plan.bytes) + " of weights");
    QJsonArray removed;
    for (const InternedString tag : plan.removed)
        removed.append(text(tag.view()));
    outcome.json[QStringLiteral("repaired")] = QJsonObject{{QStringLiteral("repairs"), labels},
                                                           {QStringLiteral("calls"), static_cast<qint64>(plan.calls)},
                                                           {QStringLiteral("bytes"), static_cast<qint64>(plan.bytes)},
                                                           {QStringLiteral("removed_tags"), removed}};
    return takeOver(invocation, snapshot, std::move(plan.tags), checked, outcome);
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
    outcome.json[QStringLiteral("legal")] = isLegal;
    ProblemTexts(snapshot.graph(), checked.given.tags).add(found.problems, outcome);
    for (const std::string& note : answer->notes)
        addNote(note, outcome);
    return outcome;
}

} // namespace

Command checkCommand()
{
    return {"check", "IN", "Check whether a model can be split by its tags, and fix problems.", joined({kCheckOptions}),
            runCheck};
}

} // namespace sunder::cli
