#include "document/runs/parts_run.h"

#include "analysis/cost/node_seconds.h"
#include "analysis/cut/part_memory.h"
#include "document/runs/make_runs.h"
#include "document/runs/torch_process.h"
#include "parts/export_parts.h"
#include "support/json_tape.h"
#include "support/scratch_folder.h"
#include "text/shown_text.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace sunder {
namespace {

constexpr unsigned kMaxResultDepth = 16;
constexpr double kExported = 0.2; ///< share of the progress until the parts are exported
constexpr std::size_t kMostRows = 100'000;

/// The tags, or one for all calls if there are none.
TagAssignment tagsToRun(const PartsRunRequest& request)
{
    const Graph& graph = request.source->graph();
    const auto hasTag = [&](NodeId id) { return graph[id].isCall() && request.tags[id] != TagAssignment::kUntagged; };
    if (std::ranges::any_of(graph.nodes(), hasTag))
        return request.tags;
    TagAssignment whole{.order = {intern("model")}, .tagOf = request.tags.tagOf};
    for (const NodeId id : graph.nodes()) {
        if (id.index() >= whole.tagOf.size())
            whole.tagOf.resize(id.index() + 1, TagAssignment::kUntagged);
        whole.tagOf[id.index()] = graph[id].isCall() ? 0 : TagAssignment::kUntagged;
    }
    return whole;
}

Result<void> exportForRun(const PartsRunRequest& request, const TagAssignment& tags, const std::string& folder,
                          ProgressMonitor& monitor)
{
    SubProgress cutting(monitor, 0, kExported / 2);
    SUNDER_TRY(const SplitOutcomePtr cut, makeSplit(request.source, tags, {}, cutting));
    const VerifyReport& report = cut->reportOfParts();
    if (report.verdict != Verdict::same)
        return fail(ErrorCode::refused, "the parts are not proven equivalent to the model: " + report.why);
    SubProgress writing(monitor, kExported / 2, kExported);
    SUNDER_TRY(const ExportedParts written,
               exportParts(request.source->program, cut->split, folder, {.proof = Proof::proven}, writing));
    return written.files.empty() ? Result<void>(fail(ErrorCode::refused, "the model has no parts")) : Result<void>();
}

/// Seconds of each tag by the cost model; nothing for a tag with a call whose seconds are unknown.
std::vector<std::optional<double>> estimatedSeconds(const PartsRunRequest& request, const TagAssignment& tags,
                                                    ProgressMonitor& monitor)
{
    std::vector<std::optional<double>> sums(tags.order.size());
    if (!request.device)
        return sums;
    const Program& program = request.source->program;
    const Result<ProgramCosts> counts = programCosts(program, monitor);
    const Result<ProgramSeconds> seconds = counts ? nodeSeconds(program, *counts, &*request.device)
                                                  : Result<ProgramSeconds>(tl::unexpected(counts.error()));
    if (!seconds)
        return sums;
    std::ranges::fill(sums, 0.0);
    for (const NodeId id : request.source->graph().nodes()) {
        const std::int32_t tag = tags[id];
        if (tag < 0 || !request.source->isCall(id))
            continue;
        std::optional<double>& sum = sums[static_cast<std::size_t>(tag)];
        const std::optional<double> node = seconds->nodes[id.index()].seconds;
        sum = sum && node ? std::optional(*sum + *node) : std::nullopt;
    }
    return sums;
}

/// A number, or infinity for other values; nothing for null.
std::optional<double> figureOf(JsonValue value)
{
    if (!value || value.is(JsonType::null))
        return {};
    return value.numberOr(std::numeric_limits<double>::infinity());
}

QString typeOf(JsonValue output)
{
    const JsonValue shape = output.member("shape");
    QString dtype = text(output.member("dtype").textOr({}));
    if (!shape.is(JsonType::array))
        return dtype;
    QStringList sizes;
    for (JsonValue size = shape.firstItem(); size; size = size.nextItem())
        sizes += QString::number(size.numberOr(0), 'f', 0);
    return QStringLiteral("%1 [%2]").arg(dtype, sizes.join(QStringLiteral(", ")));
}

ErrorCode codeOfPython(std::string_view name)
{
    for (const ErrorCode code : {ErrorCode::refused, ErrorCode::usage, ErrorCode::malformed, ErrorCode::unsupported})
        if (name == sunder::name(code))
            return code;
    return ErrorCode::io;
}

Result<PartsRun> readRun(const TorchAnswer& answer)
{
    JsonTape tape;
    const std::string_view line(answer.line.data(), static_cast<std::size_t>(answer.line.size()));
    SUNDER_PROPAGATE(tape.parseOfPython(line, kMaxResultDepth));
    const JsonValue root = tape.root();
    if (const JsonValue error = root.member("error"))
        return tl::unexpected(
            Error{codeOfPython(error.member("code").textOr({})), std::string(error.member("message").textOr({}))});
    PartsRun run{.isEqual = root.member("equal").isTrue(),
                 .agreement = linesOf(root.member("agreement").textOr({})),
                 .wholeSeconds = root.member("whole_seconds").numberOr(0),
                 .measuredOn = text(root.member("device").textOr({})),
                 .python = answer.python,
                 .release = answer.release};
    for (JsonValue one = root.member("outputs").firstItem(); one && run.outputs.size() < kMostRows; one = one.nextItem())
        run.outputs.push_back({.name = text(one.member("name").textOr({})),
                               .type = typeOf(one),
                               .isEqual = one.member("equal").isTrue(),
                               .largest = figureOf(one.member("largest")),
                               .relative = figureOf(one.member("relative")),
                               .why = text(one.member("why").textOr({}))});
    for (JsonValue one = root.member("parts").firstItem(); one && run.parts.size() < kMostRows; one = one.nextItem()) {
        PartsRun::Part part{.name = text(one.member("name").textOr({})),
                            .device = text(one.member("device").textOr({})),
                            .seconds = std::max(0.0, one.member("seconds").numberOr(0))};
        if (const double bytes = one.member("memory").numberOr(-1); bytes >= 0 && bytes < 1e18)
            part.memory = static_cast<std::uint64_t>(bytes);
        run.seconds += part.seconds;
        run.parts.push_back(part);
    }
    for (JsonValue note = root.member("notes").firstItem(); note && run.notes.size() < 100; note = note.nextItem())
        run.notes += text(note.textOr({}));
    if (const JsonValue costs = root.member("costs"); costs.is(JsonType::object))
        run.costs = costs.raw();
    if (run.parts.empty())
        return fail(ErrorCode::malformed, "the process returned no parts");
    return run;
}

} // namespace

Result<PartsRunPtr> runPartsInTorch(const PartsRunRequest& request, ProgressMonitor& monitor)
{
    const TagAssignment tags = tagsToRun(request);
    SUNDER_TRY(const ScratchFolder scratch, ScratchFolder::elsewhere("parts"));
    const std::string folder = (scratch.path() / "parts").string();
    SUNDER_PROPAGATE(exportForRun(request, tags, folder, monitor));
    QStringList words = QStringList{exact(folder)} + request.modules;
    words += {QStringLiteral("--model"), request.modelPath};
    if (!request.torchDevice.isEmpty())
        words += {QStringLiteral("--device"), request.torchDevice};
    SubProgress running(monitor, kExported, 1);
    SUNDER_TRY(const TorchAnswer answer,
               runInTorch(request.pythons, QStringLiteral("sunder.running"), words, exact(scratch.path().string()), running));
    SUNDER_TRY(PartsRun run, readRun(answer));
    const MemoryReport memory = memoryReport(request.source->program, tags, {}, {});
    const std::vector<std::optional<double>> seconds = estimatedSeconds(request, tags, monitor);
    for (PartsRun::Part& part : run.parts) {
        for (const PartMemory& estimate : memory.parts)
            if (text(estimate.name) == part.name)
                part.estimatedMemory = estimate.peak();
        for (std::size_t tag = 0; tag < tags.order.size(); ++tag)
            if (text(tags.order[tag].view()) == part.name)
                part.estimatedSeconds = seconds[tag];
    }
    if (request.device)
        run.estimatedFor = text(request.device->name);
    SUNDER_PROPAGATE(monitor.check());
    return std::make_shared<const PartsRun>(std::move(run));
}

} // namespace sunder
