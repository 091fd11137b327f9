#include "io/side_files/cut_summary_file.h"

#include "io/json/json_file.h"
#include "io/side_files/devices_file.h"
#include "support/json_tape.h"
#include "support/sha256.h"
#include "support/version.h"

namespace sunder {
namespace {

/// Hashes the inputs of the figures, so that figures are ignored if an older version edited the tags.
std::string basisOf(const ProjectFile& project)
{
    Sha256 hash;
    const auto add = [&hash](std::string_view text) {
        hash.add(std::to_string(text.size()) + ':');
        hash.add(text);
    };
    add(project.source.mark.graph);
    for (const ProjectTag& tag : project.tags) {
        add(tag.name.view());
        add(std::to_string(tag.nodes.size()));
        for (const InternedString node : tag.nodes)
            add(node.view());
    }
    add(devicesFileText(project.devices));
    for (const auto& [symbol, size] : project.sizes)
        add(symbol.str() + '=' + std::to_string(size));
    add(project.costs);
    return hash.finish();
}

std::optional<std::uint64_t> countIn(JsonValue value)
{
    return value.is(JsonType::integer) && value.asInteger() >= 0 ? std::optional(static_cast<std::uint64_t>(value.asInteger()))
                                                                 : std::nullopt;
}

std::optional<CutSummary::Part> partFrom(JsonValue value)
{
    const JsonValue name = value.member("name");
    const auto ops = countIn(value.member("ops"));
    const auto weights = countIn(value.member("weights"));
    const auto sends = countIn(value.member("sends"));
    const auto peak = countIn(value.member("peak"));
    if (!name.is(JsonType::string) || !ops || !weights || !sends || !peak)
        return std::nullopt;
    return CutSummary::Part{.name = std::string(name.text()),
                            .ops = *ops,
                            .flops = countIn(value.member("flops")),
                            .weights = *weights,
                            .sends = *sends,
                            .peak = *peak,
                            .load = numberIn(value.member("load"))};
}

std::optional<CutSummary> summaryFrom(JsonValue value)
{
    CutSummary summary;
    for (JsonValue item = value.member("parts").firstItem(); item; item = item.nextItem()) {
        std::optional<CutSummary::Part> part = partFrom(item);
        if (!part)
            return std::nullopt;
        summary.parts.push_back(*std::move(part));
    }
    const auto crossing = countIn(value.member("crossing"));
    const auto duplicated = countIn(value.member("duplicated"));
    const auto imbalance = numberIn(value.member("memory_imbalance"));
    if (!crossing || !duplicated || !imbalance)
        return std::nullopt;
    summary.by = value.member("by").textOr({});
    summary.untagged = countIn(value.member("untagged")).value_or(0);
    summary.crossing = *crossing;
    summary.duplicated = *duplicated;
    summary.memoryImbalance = *imbalance;
    summary.whyNoLoads = value.member("why_no_loads").textOr({});
    summary.bound = numberIn(value.member("bound"));
    summary.isOptimal = value.member("optimal").isTrue();
    for (JsonValue item = value.member("assumptions").firstItem(); item; item = item.nextItem())
        summary.assumptions.emplace_back(item.textOr({}));
    return summary;
}

} // namespace

void writeCutSummary(const CutSummary& summary, JsonWriter& json)
{
    json.key("parts");
    json.list(summary.parts, [&json](const CutSummary::Part& part) {
        json.object([&] {
            json.member("name", part.name);
            json.member("ops", part.ops);
            json.member("flops", part.flops);
            json.member("weights", part.weights);
            json.member("sends", part.sends);
            json.member("peak", part.peak);
            json.member("load", part.load);
        });
    });
    json.member("untagged", summary.untagged);
    json.member("crossing", summary.crossing);
    json.member("duplicated", summary.duplicated);
    json.member("memory_imbalance", summary.memoryImbalance);
    json.memberIfAny("why_no_loads", summary.whyNoLoads);
    json.member("bound", summary.bound);
    json.member("optimal", summary.isOptimal);
    json.member("assumptions", summary.assumptions);
}

std::string figuresText(const CutSummary& summary, const ProjectFile& project)
{
    JsonWriter json(0);
    json.object([&] {
        json.member("of", basisOf(project));
        json.member("by", version());
        writeCutSummary(summary, json);
    });
    return json.takeRaw();
}

std::optional<CutSummary> keptFigures(const ProjectFile& project)
{
    JsonTape tape;
    if (project.figures.empty() || !tape.parse(project.figures, kMaxProjectDepth))
        return std::nullopt;
    const JsonValue root = tape.root();
    return root.member("of").textOr({}) == basisOf(project) ? summaryFrom(root) : std::nullopt;
}

} // namespace sunder
