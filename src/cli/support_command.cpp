#include "cli/command.h"
#include "cli/files.h"
#include "cli/tags.h"
#include "io/side_files/support_files.h"
#include "io/side_files/tags_file.h"
#include "passes/support/support_report.h"
#include "support/file.h"
#include "support/format.h"
#include "support/json_tape.h"

#include <algorithm>
#include <optional>

namespace sunder::cli {
namespace {

constexpr CommandOption kSupportOptions[] = {
    CommandOption{Takes::input, "support", "SUPPORT.json", "What the accelerator supports: operators, argument types, and nodes."}
        .required(),
    CommandOption{Takes::word, "method", "capability|splitter", "Partitioner of torch.fx: capability-based, or splitter_base."}
        .required(),
    {Takes::input, "support-options", "OPTIONS.json", "Options of the method."},
    flag("as-upstream", "Refuse models on which PyTorch fails, instead of computing the correct result."),
    CommandOption{Takes::output, "o", "TAGS.json", "Tags file to write."}.required(),
    {Takes::output, "report", "REPORT.json", "Write what separates the parts, and the operators worth supporting next."},
};

/// What the report says about the result, always of the default mode.
struct Explained {
    SupportParts parts;
    TagAssignment tags;
    std::vector<SupportBreak> breaks;
    std::vector<SupportStep> next;
};

void write(const SupportFigures& figures, JsonWriter& json)
{
    json.member("partitions", figures.partitions);
    json.member("nodes", figures.nodes);
    json.member("bytes", figures.bytes);
}

void write(const Graph& graph, const char* key, const std::vector<NodeId>& nodes, JsonWriter& json)
{
    json.key(key);
    json.list(nodes, [&](NodeId id) { json.value(graph[id].name.view()); });
}

std::string reportText(const SupportGraph& graph, const Explained& explained, const std::vector<ModelOperator>& operators)
{
    constexpr std::size_t kLineDepth = 2;
    JsonWriter json(kLineDepth);
    json.object([&] {
        write(supportFigures(graph, explained.parts), json);
        json.key("breaks");
        json.list(explained.breaks, [&](const SupportBreak& one) {
            json.object([&] {
                json.member("after", explained.tags.order[one.after].view());
                json.member("before", explained.tags.order[one.before].view());
                write(graph.graph, "unsupported", one.unsupported, json);
                write(graph.graph, "other", one.other, json);
            });
        });
        json.key("next");
        json.list(explained.next, [&](const SupportStep& step) {
            json.object([&] {
                json.member("operator", step.name.view());
                write(step.figures, json);
            });
        });
        json.key("operators");
        json.list(operators, [&](const ModelOperator& one) {
            json.object([&] {
                json.member("operator", one.name.view());
                json.member("nodes", one.ops);
                json.member("supported", one.supported);
                json.member("bytes", one.bytes);
                json.key("dtypes");
                json.list(one.dtypes, [&](InternedString dtype) { json.value(dtype.view()); });
            });
        });
    });
    return json.take();
}

/// Returns a JSON text on one line.
Result<std::string> onOneLine(const std::string& text)
{
    constexpr unsigned kMaxReportDepth = 16;
    JsonTape tape;
    SUNDER_PROPAGATE(tape.parse(text, kMaxReportDepth));
    return tape.root().raw();
}

Result<Explained> explain(const Invocation& invocation, const SupportGraph& graph, const SupportedOps& supported,
                          SupportOptions options)
{
    options.asUpstream = false;
    options.maxAccSplits = -1;
    Explained explained;
    SUNDER_TRY(explained.parts, supportParts(graph, supported, options, invocation.monitor));
    explained.tags = supportTags(graph, explained.parts);
    explained.breaks = supportBreaks(graph, supported, explained.parts);
    SUNDER_TRY(explained.next, supportNext(graph, supported, options, kSupportSteps, invocation.monitor));
    return explained;
}

void say(const SupportGraph& graph, const SupportParts& parts, const std::vector<ModelOperator>& operators, Outcome& outcome)
{
    const SupportFigures figures = supportFigures(graph, parts);
    const auto ops = static_cast<std::size_t>(std::ranges::count(graph.isCall, 1));
    outcome.say(formatCount(figures.partitions, "part") + ", " + formatCount(figures.nodes, "op") + " of " + formatCount(ops)
                + " on the accelerator, " + formatBytes(figures.bytes) + " cross boundaries");
    for (const ModelOperator& one : operators)
        if (one.supported < one.ops)
            outcome.say("unsupported: " + (one.name.empty() ? "modules of unknown class" : one.name.str()) + ", "
                        + formatCount(one.ops - one.supported, "op"));
}

void say(const Explained& explained, Outcome& outcome)
{
    if (!explained.next.empty())
        outcome.say("worth supporting next, cumulatively:");
    for (const SupportStep& step : explained.next)
        outcome.say("  " + step.name.str() + ": " + formatCount(step.figures.partitions, "part") + ", "
                    + formatCount(step.figures.nodes, "op") + " on the accelerator, " + formatBytes(step.figures.bytes)
                    + " cross boundaries");
}

Result<Outcome> runSupport(const Invocation& invocation)
{
    const SupportMethod method = invocation.value("method") == "splitter" ? SupportMethod::splitter : SupportMethod::capability;
    SUNDER_TRY(const SupportRules rules, readSupportFile(invocation.value("support")));
    SupportOptions options{.method = method};
    if (invocation.isSet("support-options")) {
        SUNDER_TRY(options, readSupportOptions(invocation.value("support-options"), method));
    }
    options.asUpstream = invocation.isSet("as-upstream");
    SUNDER_TRY(const Program program, readInput(invocation, invocation.files[0]));
    const SupportGraph graph(program);
    const SupportedOps supported(program, rules);
    SUNDER_TRY(const SupportParts parts,
               invocation.timer.measure("pass", [&] { return supportParts(graph, supported, options, invocation.monitor); }));
    const TagAssignment tags = supportTags(graph, parts);
    const std::vector<ModelOperator> operators = modelOperators(program, supported);
    SUNDER_PROPAGATE(
        invocation.outputs.write(invocation.value("o"), [&](const std::string& at) { return writeTags(program, tags, at); }));
    Outcome outcome;
    SUNDER_TRY(const std::string tagsText,
               onOneLine(tagsFileText({.order = tags.order, .tags = tagPairs(program.rootGraph(), tags), .colors = {}})));
    outcome.json.rawMember("tags", tagsText);
    say(graph, parts, operators, outcome);
    if (!invocation.isSet("report"))
        return outcome;
    SUNDER_TRY(const Explained explained,
               invocation.timer.measure("report", [&] { return explain(invocation, graph, supported, options); }));
    const std::string report = reportText(graph, explained, operators);
    SUNDER_TRY(const std::string reportLine, onOneLine(report));
    outcome.json.rawMember("report", reportLine);
    say(explained, outcome);
    SUNDER_PROPAGATE(invocation.outputs.write(invocation.value("report"),
                                              [&](const std::string& at) { return writeFileAtomically(at, report); }));
    return outcome;
}

} // namespace

Command supportCommand()
{
    return {"support", "IN", "Tag a model for an accelerator that supports some operators.", joined({kSupportOptions}),
            runSupport};
}

} // namespace sunder::cli
