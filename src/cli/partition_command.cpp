#include "cli/command.h"
#include "cli/files.h"
#include "cli/partition_outputs.h"
#include "cli/split_outputs.h"
#include "io/side_files/partitioner_files.h"
#include "io/sympy/size_assumptions.h"
#include "passes/partition/accelerator_partitioner.h"
#include "passes/partition/separate_forward_backward.h"
#include "passes/partition/size_based_partitioner.h"

namespace sunder::cli {
namespace {

void declarePartition(QCommandLineParser& parser)
{
    declareSplitOutputs(parser);
    parser.addOptions(
        {{QStringLiteral("devices"), QStringLiteral("Devices of equal memory, for the size-based partitioner of 2020."),
          QStringLiteral("DEVICES.json")},
         {QStringLiteral("config"), QStringLiteral("Configuration of the accelerator partitioner: mode, devices, and tables."),
          QStringLiteral("CONFIG.json")},
         {QStringLiteral("result"), QStringLiteral("Write the partitions with their nodes, bytes, and devices."),
          QStringLiteral("RESULT.json")},
         {QStringLiteral("exact-2020"), QStringLiteral("With --devices: reproduce the bugs of the 2020 partitioner.")},
         {QStringLiteral("as-upstream"), QStringLiteral("With --config: reproduce the bugs of PyTorch.")}});
}

Result<void> checkRequest(const Invocation& invocation)
{
    const bool isOfProject = isProjectPath(invocation.files[0]) && !invocation.isSet("exact-2020");
    if (invocation.isSet("devices") == invocation.isSet("config") && (invocation.isSet("devices") || !isOfProject))
        return fail(ErrorCode::usage, "partition needs either --devices DEVICES.json or --config CONFIG.json");
    if (invocation.isSet("exact-2020") && !invocation.isSet("devices"))
        return fail(ErrorCode::usage, "--exact-2020 needs --devices; with --config, use --as-upstream");
    if (invocation.isSet("as-upstream") && invocation.isSet("devices"))
        return fail(ErrorCode::usage, "--as-upstream needs --config; with --devices, use --exact-2020");
    return checkSplitOutputs(invocation);
}

/// Returns the configuration in the file; for a project without --config, the default mode with its devices, as in the form of
/// the window.
Result<PartitionerConfig> configFor(const Invocation& invocation)
{
    if (invocation.isSet("config"))
        return readPartitionerConfig(invocation.value("config"));
    if (invocation.project.file->devices.empty())
        return fail(ErrorCode::refused,
                    "the project has no devices; partition needs --devices DEVICES.json or --config CONFIG.json");
    return PartitionerConfig{.devices = invocation.project.file->devices};
}

/// Runs the partitioner. Stores the devices it used in `over`.
Result<PartitionResult> partition(const Invocation& invocation, const Program& source, std::vector<Device>& over)
{
    if (invocation.isSet("devices")) {
        SUNDER_TRY(const std::vector<Device> devices, readDevicesFile(invocation.value("devices")));
        over = devices;
        return invocation.timer.measure("pass", [&] {
            return sizeBasedPartition(source, devices, {.exact = invocation.isSet("exact-2020")}, invocation.monitor);
        });
    }
    SUNDER_TRY(const PartitionerConfig config, configFor(invocation));
    over = config.devices;
    return invocation.timer.measure("pass", [&] {
        return acceleratorPartition(source, config, {.asUpstream = invocation.isSet("as-upstream")}, invocation.monitor);
    });
}

Result<Outcome> runPartition(const Invocation& invocation)
{
    SUNDER_PROPAGATE(checkRequest(invocation));
    SUNDER_TRY(const Program source, readInput(invocation, invocation.files[0]));
    std::vector<Device> devices;
    SUNDER_TRY(const PartitionResult result, partition(invocation, source, devices));
    Result<Outcome> outcome = deliverSplit(invocation, source, result.split, &result.dag);
    if (!outcome)
        return outcome;
    sayPartitions(source, result, devices, *outcome);
    if (const std::string apart = separateForwardBackward(trainingGraph(source), result.set); !apart.empty())
        addNotes({apart}, *outcome);
    if (givesSizes(source) && !sizeAssumptions(source).empty())
        addNotes({"bytes of partitions are sums of the node sizes in the file (size_bytes), independent of assumed sizes"},
                 *outcome);
    if (invocation.isSet("result")) {
        const std::string path = invocation.value("result");
        const Result<void> written = invocation.outputs.write(
            path, [&](const std::string& at) { return writePartitionResult(source, result, at); });
        if (!written)
            return forward(written);
        outcome->say("wrote " + path);
    }
    return outcome;
}

} // namespace

Command partitionCommand()
{
    return {"partition",
            "IN",
            "Split a model over devices by their memory.",
            declarePartition,
            runPartition,
            "devices config",
            "o fqn-map dag cost result"};
}

} // namespace sunder::cli
