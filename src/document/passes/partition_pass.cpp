#include "document/passes/partition_pass.h"

#include "document/passes/cli_command.h"
#include "document/runs/split_outcome.h"
#include "document/text.h"
#include "io/side_files/devices_file.h"
#include "io/side_files/partitioner_files.h"
#include "text/amounts.h"

namespace sunder {
namespace {

const QString kDevices = QStringLiteral("devices");

QString textOf(const std::vector<Device>& devices)
{
    constexpr std::size_t kMaxNamed = 6;
    QStringList names;
    for (std::size_t i = 0; i < std::min(kMaxNamed, devices.size()); ++i)
        names << tr("%1 %2").arg(
            brief(devices[i].name.empty() ? tr("device %1").arg(devices[i].logicalId) : text(devices[i].name), 24),
            bytesText(static_cast<std::uint64_t>(devices[i].availableBytes)));
    if (devices.size() > kMaxNamed)
        names << tr("%1 more").arg(devices.size() - kMaxNamed);
    return names.join(QStringLiteral(", "));
}

void commandOfPartition(const Outcome& result, const Program&, CliCommand& command)
{
    command.verb = "partition";
    command.ending = "-split.fxj";
    const PartitionRequest& request = static_cast<const SplitOutcome&>(result).plan->request;
    if (request.is2020)
        command.addFile("devices", devicesFileText(request.devices()));
    else
        command.addFile("config", partitionerConfigText(request.config));
    if (request.asUpstream)
        command.add(request.is2020 ? "exact-2020" : "as-upstream");
}

} // namespace

PassOptions asPassOptions(const PartitionRequest& request)
{
    PassOptions plain{{kPartitionMethod, request.is2020 ? QStringLiteral("2020") : text(name(request.config.mode))},
                      {kDevices, textOf(request.devices())}};
    if (!request.is2020 && request.config.saturateHost)
        plain.insert(kPartitionSaturate, true);
    if (request.asUpstream)
        plain.insert(kPartitionAsTorch, true);
    if (!request.is2020 && request.config.transferBytesPerSecond > 0)
        plain.insert(kPartitionBandwidth,
                     tr("%1/s").arg(bytesText(static_cast<std::uint64_t>(request.config.transferBytesPerSecond))));
    return plain;
}

QString nameOf(const PartitionRequest& request)
{
    return briefsOf(findPass(QStringLiteral("partition"))->options, asPassOptions(request)).join(QStringLiteral(", "));
}

Pass partitionPass()
{
    return {
        .id = QStringLiteral("partition"),
        .name = tr("Partition"),
        .text = tr("&Partition…"),
        .keys = {QKeySequence(Qt::CTRL | Qt::ALT | Qt::Key_P)},
        .tip = tr("Distribute the model over devices and verify the parts"),
        .button = tr("Partition"),
        .asking = PassAsking::form,
        .options =
            {{.id = kPartitionMethod,
              .kind = PassOption::Kind::choice,
              .title = tr("Method"),
              .choices = {{.id = QStringLiteral("size_based"), .title = tr("size-based"), .brief = tr("size-based")},
                          {.id = QStringLiteral("sparse_nn"), .title = tr("sparse NN"), .brief = tr("sparse NN")},
                          {.id = QStringLiteral("cost_aware"), .title = tr("cost-aware"), .brief = tr("cost-aware")},
                          {.id = QStringLiteral("kl_based"), .title = tr("Kernighan-Lin"), .brief = tr("Kernighan-Lin")},
                          {.id = QStringLiteral("aot_based"), .title = tr("as tagged"), .brief = tr("as tagged")},
                          {.id = QStringLiteral("2020"), .title = tr("size-based (2020)"), .brief = tr("size-based (2020)")}}},
             {.id = kPartitionSaturate, .title = tr("Replicate parts on idle devices"), .brief = tr("replicated")},
             {.id = kPartitionAsTorch, .title = tr("Bug-for-bug compatible with PyTorch"), .brief = tr("as in PyTorch")},
             {.id = kPartitionBandwidth, .kind = PassOption::Kind::note, .title = tr("Bandwidth between devices")},
             {.id = kDevices, .kind = PassOption::Kind::note, .title = tr("Devices")}},
        .job = QStringLiteral("partition"),
        .jobTitle = tr("Partition and verify"),
        .command = commandOfPartition,
        .refused = tr("The model was not partitioned")};
}

} // namespace sunder
