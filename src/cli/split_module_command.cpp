#include "cli/commands.h"
#include "cli/files.h"
#include "cli/split_outputs.h"
#include "io/side_files/partitions_file.h"
#include "passes/split_module/split_module.h"

namespace sunder::cli {
namespace {

void declare(QCommandLineParser& parser)
{
    declareSplitOutputs(parser);
    parser.addOptions(
        {{QStringLiteral("partitions"), QStringLiteral("Partition of each node, a number or a text."),
          QStringLiteral("PARTITIONS.json")},
         {QStringLiteral("keep-original-order"), QStringLiteral("Calls partitions in the order of their first nodes.")},
         {QStringLiteral("keep-original-node-names"), QStringLiteral("Nodes of parts keep the names they had.")},
         {QStringLiteral("tuple-return"), QStringLiteral("A part with one result returns a tuple of one.")},
         {QStringLiteral("keep-signature"),
          QStringLiteral("Inputs keep their * and **, which PyTorch loses where nodes keep their names.")}});
}

Result<PartitionAssignment> partitionsFor(const Invocation& invocation, const Program& program)
{
    if (!invocation.isSet("partitions"))
        return fail(ErrorCode::usage, "split-module needs --partitions PARTITIONS.json");
    const Result<std::vector<PartitionPair>> pairs = readPartitionsFile(invocation.value("partitions"));
    if (!pairs)
        return forward(pairs);
    PartitionAssignment partitions = assignPartitions(program.rootGraph(), *pairs);
    if (partitions.unknownNodes.empty())
        return partitions;
    // Most likely it is misspelt, and its partition would go unheard.
    const auto& [node, partition] = partitions.unknownNodes.front();
    return fail(ErrorCode::refused,
                "the partitions file gives the partition " + partition.text.str() + " to " + node.str() +
                    ", which is no node of the graph",
                {.file = invocation.value("partitions"), .node = node.str(), .other = partition.text.str()});
}

Result<Outcome> run(const Invocation& invocation)
{
    if (const Result<void> asked = checkSplitOutputs(invocation); !asked)
        return forward(asked);
    const Result<Program> source = readInput(invocation, invocation.files[0]);
    if (!source)
        return forward(source);
    const Result<PartitionAssignment> partitions = partitionsFor(invocation, *source);
    if (!partitions)
        return forward(partitions);
    const Result<SplitResult> split = invocation.timer.measure("pass", [&] {
        return splitModule(*source, *partitions,
                           {.keepOriginalOrder = invocation.isSet("keep-original-order"),
                            .keepOriginalNodeNames = invocation.isSet("keep-original-node-names"),
                            .tupleReturn = invocation.isSet("tuple-return"),
                            .keepSignature = invocation.isSet("keep-signature")},
                           invocation.monitor);
    });
    if (!split)
        return forward(split);
    return deliverSplit(invocation, *source, *split);
}

} // namespace

Command splitModuleCommand()
{
    return {"split-module", "IN", "Splits a model by a partition per node, one submodule a partition.", declare, run};
}

} // namespace sunder::cli
