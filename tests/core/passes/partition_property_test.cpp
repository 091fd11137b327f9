#include "analysis/cut/device_load.h"
#include "analysis/cut/part_assignment.h"
#include "held_bytes.h"
#include "ir/lint.h"
#include "passes/partition/accelerator_partitioner.h"
#include "passes/partition/size_based_partitioner.h"
#include "plain_partitioner.h"
#include "test_case.h"
#include "test_support.h"
#include "verify/verify.h"

#include <QTest>

#include <random>

using namespace sunder;

namespace {

/// Returns a random graph of calls on up to three recent values, with sizes.
Program randomDag(unsigned seed, int calls)
{
    std::mt19937 random(seed);
    Program program;
    Graph& graph = program.graph(program.addGraph(ModuleTree::root()));
    std::vector<NodeId> values;
    const auto add = [&](NodeSpec spec) {
        const std::uint64_t output = 1 + random() % 20;
        spec.sizeBytes = SizeBytes{.output = output,
                                   .total = output + (spec.op == Op::callFunction && random() % 4 == 0 ? random() % 60 : 0)};
        values.push_back(graph.append(std::move(spec)));
    };
    for (int i = 0; i < 3; ++i)
        add({.op = Op::placeholder, .name = intern("x" + std::to_string(i)), .target = intern("x" + std::to_string(i))});
    for (int i = 0; i < calls; ++i) {
        NodeSpec spec{.op = Op::callFunction,
                      .name = intern("c" + std::to_string(i)),
                      .target = intern("torch.ops.test.op" + std::to_string(random() % 3))};
        const std::size_t reach = std::min<std::size_t>(values.size(), 2 + random() % 8);
        for (std::size_t k = 0; k <= random() % 3; ++k)
            spec.args.push_back(Argument::node(values[values.size() - 1 - random() % reach]));
        add(std::move(spec));
    }
    Arguments results;
    for (std::size_t i = values.size() - 2; i < values.size(); ++i)
        results.push_back(Argument::node(values[i]));
    graph.append(
        {.op = Op::output, .name = intern("output"), .target = intern("output"), .args = {Argument::tuple(std::move(results))}});
    test::giveTestSchemas(program);
    return program;
}

/// Returns the same graph with other ids: the last node is created first, and there are gaps.
Program renumbered(Program program)
{
    const Graph& from = program.rootGraph();
    const std::vector<NodeId> order = from.order();
    Graph graph;
    std::vector<NodeId> newId(from.idBound());
    for (auto at = order.rbegin(); at != order.rend(); ++at) {
        (void)graph.erase(
            graph.append({.op = Op::callFunction, .name = intern("gone"), .target = intern("torch.ops.test.gone")}));
        const Node& node = from[*at];
        newId[at->index()] = graph.append({.op = node.op, .name = node.name, .target = node.target, .sizeBytes = node.sizeBytes});
    }
    for (std::size_t i = 1; i < order.size(); ++i)
        graph.moveAfter(newId[order[i].index()], newId[order[i - 1].index()]);
    for (const NodeId id : order)
        graph.setArguments(newId[id.index()],
                           mapNodes(from[id].args, [&](NodeId old) { return Argument::node(newId[old.index()]); }), {});
    program.rootGraph() = std::move(graph);
    return program;
}

std::vector<Device> equalDevices(std::size_t count, double bytes)
{
    std::vector<Device> made(count);
    for (std::size_t i = 0; i < count; ++i)
        made[i] = {.name = {}, .availableBytes = bytes, .logicalId = static_cast<std::int64_t>(i)};
    return made;
}

std::string partsText(const Program& program, const PartitionSet& set)
{
    std::string text;
    for (const Partition& partition : set.partitions) {
        text += "\n" + std::to_string(partition.usedBytes) + ":";
        for (const NodeId id : partition.nodes)
            text += " " + program.rootGraph()[id].name.str();
    }
    return text;
}

std::string partsText(const Program& program, const std::vector<test::PlainPartitioner::Part>& parts)
{
    std::string text;
    for (const test::PlainPartitioner::Part& part : parts) {
        text += "\n" + std::to_string(part.used) + ":";
        for (const NodeId id : program.rootGraph().nodes())
            if (part.members.contains(id))
                text += " " + program.rootGraph()[id].name.str();
    }
    return text;
}

/// Checks that every call is in one partition and its part, no device exceeds its memory, and the source graph is unchanged.
void checkResult(const Program& program, const PartitionResult& result, const std::vector<Device>& over)
{
    QVERIFY(lint(result.split.program).empty());
    QCOMPARE(verify(program, result.split.program)->verdict, Verdict::same);
    std::vector<int> times(program.rootGraph().idBound(), 0);
    for (const Partition& partition : result.set.partitions)
        for (const NodeId id : partition.nodes)
            ++times[id.index()];
    for (const NodeId id : program.rootGraph().nodes())
        if (program.rootGraph()[id].isCall())
            QCOMPARE(times[id.index()], 1);
    const NodeSizes sizes = *nodeSizes(program);
    // Compares PyTorch's count, which decides about devices, with the peak of a run, which is displayed.
    const TagAssignment cut = partAssignment(program, result.split.program, result.split.map);
    const CutGraph graph = cutGraph(program, MemoryRule::keepsAll);
    const CutMetrics metrics = cutMetrics(graph, cut);
    const std::vector<DeviceLoad> loads = deviceLoads(graph, cut, metrics, over, devicesOfParts(metrics, result.dag));
    const CutGraph freed = cutGraph(program, MemoryRule::freesDead);
    const CutMetrics run = cutMetrics(freed, cut);
    const std::vector<DeviceLoad> peaks = deviceLoads(freed, cut, run, over, devicesOfParts(run, result.dag));
    for (std::size_t i = 0; i < over.size(); ++i) {
        const Device& device = over[i];
        std::vector<NodeId> nodes;
        for (const Partition& partition : result.set.partitions)
            if (std::find(partition.devices.begin(), partition.devices.end(), device.logicalId) != partition.devices.end())
                nodes.insert(nodes.end(), partition.nodes.begin(), partition.nodes.end());
        std::sort(nodes.begin(), nodes.end());
        nodes.erase(std::unique(nodes.begin(), nodes.end()), nodes.end());
        const std::uint64_t held = test::heldBytes(program, sizes, nodes);
        QVERIFY(static_cast<double>(held) <= device.availableBytes);
        QCOMPARE(loads[i].usedBytes(), held);
        QVERIFY(peaks[i].usedBytes() <= held); // so a partition that fits by PyTorch's count is never shown as too large
    }
}

} // namespace

class PartitionPropertyTest final : public QObject {
    Q_OBJECT
private slots:
    void groupsAsThePlainPartitionerDoes()
    {
        int several = 0;
        for (unsigned seed = 0; seed < 200; ++seed) {
            const Program program = randomDag(seed, 4 + static_cast<int>(seed % 40));
            for (const std::uint64_t bytes : {120U, 200U, 400U}) {
                const std::vector<Device> over = equalDevices(99, static_cast<double>(bytes));
                const Result<PartitionResult> result = sizeBasedPartition(program, over);
                if (!result || result->set.partitions.size() == 1)
                    continue;
                ++several;
                const std::string plain = partsText(program, test::PlainPartitioner(program.rootGraph(), bytes).run());
                QVERIFY2(partsText(program, result->set) == plain,
                         (partsText(program, result->set) + "\nplain:" + plain).c_str());
                checkResult(program, *result, over);
            }
        }
        QVERIFY(several > 200);
    }

    void doesNotHangOnIds()
    {
        for (unsigned seed = 0; seed < 200; ++seed) {
            const Program plain = randomDag(seed, 30);
            const Program other = renumbered(plain);
            for (const PartitionMode mode : {PartitionMode::sizeBased, PartitionMode::sparseNn}) {
                const std::size_t count = 2 + seed % 4; // with just enough memory for all, often too little for a part
                const double share = static_cast<double>(*wholeBytes(plain, *nodeSizes(plain))) / static_cast<double>(count);
                const PartitionerConfig config{.mode = mode, .devices = equalDevices(count, std::ceil(share) + 1)};
                const Result<PartitionResult> a = acceleratorPartition(plain, config);
                const Result<PartitionResult> b = acceleratorPartition(other, config);
                QCOMPARE(a ? partsText(plain, a->set) : a.error().message, b ? partsText(other, b->set) : b.error().message);
            }
            const Result<PartitionResult> a = sizeBasedPartition(plain, equalDevices(20, 150));
            const Result<PartitionResult> b = sizeBasedPartition(other, equalDevices(20, 150));
            QCOMPARE(a ? test::textOf(a->split.program.rootGraph()) : a.error().message,
                     b ? test::textOf(b->split.program.rootGraph()) : b.error().message);
        }
    }

    void neverExceedsADevice()
    {
        std::array<int, 5> made = {};
        for (unsigned seed = 0; seed < 60; ++seed) {
            std::mt19937 random(seed);
            const Program program = randomDag(seed, 4 + static_cast<int>(seed % 7));
            const double whole = static_cast<double>(*wholeBytes(program, *nodeSizes(program)));
            PartitionerConfig config{
                .saturateHost = seed % 3 == 0, .devices = equalDevices(3 + seed % 3, 0), .transferBytesPerSecond = 5};
            for (Device& device : config.devices)
                device.availableBytes = std::floor(whole * (0.4 + 0.1 * (seed % 5)));
            for (const NodeId id : program.rootGraph().nodes())
                if (program.rootGraph()[id].isCall()) {
                    config.latencies.emplace_back(
                        program.rootGraph()[id].name,
                        NodeLatency{.memory = static_cast<double>(random() % 9), .compute = static_cast<double>(random() % 9)});
                    config.nodeToPartition.emplace_back(program.rootGraph()[id].name, config.nodeToPartition.size() < 3 ? 4 : 2);
                }
            config.partitionToDevices = {{4, {0}}, {2, {1}}};
            for (const PartitionMode mode : {PartitionMode::sizeBased, PartitionMode::sparseNn, PartitionMode::costAware,
                                             PartitionMode::klBased, PartitionMode::aotBased}) {
                config.mode = mode;
                const Result<PartitionResult> result = acceleratorPartition(program, config);
                if (!result)
                    continue;
                ++made[static_cast<std::size_t>(mode)];
                checkResult(program, *result, config.devices);
            }
        }
        for (const int count : made)
            QVERIFY(count > 5);
    }
};

const test::Registered<PartitionPropertyTest> partitionPropertyTest("partition_property_test");
#include "partition_property_test.moc"
