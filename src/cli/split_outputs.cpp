#include "cli/split_outputs.h"

#include "analysis/cut/cut_text.h"
#include "analysis/cut/part_assignment.h"
#include "cli/files.h"
#include "cli/torch_target.h"
#include "cli/verification.h"
#include "io/fx_json/fx_json_writer.h"
#include "io/side_files/cut_report_writer.h"
#include "io/side_files/name_map_file.h"
#include "io/side_files/partition_dag_file.h"
#include "support/format.h"

#include <array>
#include <filesystem>
#include <string_view>
#include <utility>

namespace sunder::cli {
namespace {

Proof proofOf(Verdict verdict)
{
    switch (verdict) {
    case Verdict::same: return Proof::proven;
    case Verdict::different: return Proof::different;
    case Verdict::sameUpToRounding:
    case Verdict::undecided: break;
    }
    return Proof::undecided;
}

Result<void> writeParts(const Invocation& invocation, const Program& source, const SplitResult& split,
                        const std::vector<PartitionDagNode>* dag, const VerifyReport& report, Outcome& outcome)
{
    const PartFormat format = partFormat(invocation);
    SUNDER_TRY(const std::optional<Pt2Schema> target, torchTargetOf(invocation));
    ExportPartsOptions options{.proof = proofOf(report.verdict),
                               .why = report.why,
                               .unproven = invocation.isSet("unproven"),
                               .target = target,
                               .format = format};
    if (dag != nullptr)
        options.dag = *dag;
    SUNDER_TRY(StagedParts staged, invocation.timer.measure("write", [&] {
        return stageParts(source, split, invocation.value("parts"), options, invocation.monitor);
    }));
    const ExportedParts& parts = staged.parts();
    for (const std::string& file : parts.files)
        outcome.say("wrote " + file);
    outcome.say("wrote " + parts.manifest);
    if (!parts.runner.empty())
        outcome.say("wrote " + parts.runner);
    for (const std::string& name : parts.removed)
        outcome.say("removed " + name + ", a part of the previous export");
    outcome.json.member("parts", parts.files);
    outcome.json.member("manifest", parts.manifest);
    outcome.json.memberIfAny("runner", parts.runner);
    outcome.json.memberIfAny("removed", parts.removed);
    invocation.outputs.add(std::move(staged));
    return {};
}

Result<void> writeCost(const Program& source, const SplitResult& split, const std::string& path, Outcome& outcome)
{
    const CutMetrics metrics = cutMetrics(source, partAssignment(source, split.program, split.map));
    outcome.say(describeTotals(metrics));
    return writeCutReport(source, metrics, path);
}

Result<void> writeResults(const Invocation& invocation, const Program& source, const SplitResult& split,
                          const std::vector<PartitionDagNode>* dag, const VerifyReport& report, Outcome& outcome)
{
    const auto wanted = [&](const char* option, const auto& write) -> Result<void> {
        if (!invocation.isSet(option))
            return {};
        const std::string path = invocation.value(option);
        outcome.say("wrote " + path);
        return invocation.timer.measure("write", [&] { return invocation.outputs.write(path, write); });
    };
    const std::string folder = std::filesystem::path(invocation.value("o")).parent_path().string();
    const Program* const copied = invocation.isSet("copies") ? &source : nullptr;
    if (auto done = wanted("o",
                           [&](const auto& at) { return writeFxJson(split.program, at, folder, invocation.monitor, copied); });
        !done)
        return done;
    SUNDER_PROPAGATE(wanted("fqn-map", [&](const auto& path) { return writeNameMap(split.fqnMap, path); }));
    if (auto done = wanted("dag",
                           [&](const auto& path) {
                               return dag != nullptr
                                   ? writePartitionDag(*dag, basisOfPartitions(source), path)
                                   : writePartitionDag(partitionDag(split.program), basisOfShapes(source), path);
                           });
        !done)
        return done;
    SUNDER_PROPAGATE(wanted("cost", [&](const auto& path) { return writeCost(source, split, path, outcome); }));
    return invocation.isSet("parts") ? writeParts(invocation, source, split, dag, report, outcome) : Result<void>();
}

} // namespace

PartFormat partFormat(const Invocation& invocation)
{
    const std::string asked = invocation.value("parts-format");
    return asked.empty() ? PartFormat::asSource : asked == "pt2" ? PartFormat::pt2 : PartFormat::fxJson;
}

std::span<const CommandOption> splitOutputs()
{
    static constexpr CommandOption kOptions[] = {
        {Takes::output, "o", "OUT.fxj", "Split program to write."},
        flag("copies",
             "With -o: write unchanged nodes as references to their positions in IN, for a program that has IN in memory.")
            .needing("o"),
        {Takes::output, "fqn-map", "MAP.json", "Write the qualified names before and after the split."},
        {Takes::text, "parts", "DIR", "Write each part as a model of its own, and manifest.json."},
        {Takes::word, "parts-format", "pt2|fxj", "Format of the parts: pt2 or fxj. Default: pt2 if IN is a .pt2, otherwise fxj."},
        {Takes::output, "dag", "DAG.json", "Write the parts in execution order, with their inputs and outputs."},
        {Takes::output, "cost", "COST.json", "Write the cost of the cut: bytes per part, bytes between parts, and totals."},
        flag("unproven", "Write parts even if the split is not proven equivalent."),
        flag("no-verify", "Skip verification of the split."),
        kTorchTarget.needing("parts"),
    };
    return kOptions;
}

Result<void> checkSplitOutputs(const Invocation& invocation)
{
    if (invocation.isSet("o") || invocation.isSet("parts"))
        return torchTargetOf(invocation).map([](const auto&) {});
    return fail(ErrorCode::usage, "nothing to write: give -o OUT.fxj, --parts DIR, or both");
}

Result<Outcome> deliverSplit(const Invocation& invocation, const Program& source, const SplitResult& split,
                             const std::vector<PartitionDagNode>* dag)
{
    Outcome outcome;
    SUNDER_TRY(const VerifyReport report, verifyResult(invocation, source, split.program, outcome));
    outcome.say("split into " + formatCount(split.parts.size(), "part")
                + (report.verdict == Verdict::same ? ", proven equivalent" : ""));
    SUNDER_PROPAGATE(writeResults(invocation, source, split, dag, report, outcome));
    return outcome;
}

} // namespace sunder::cli
