#include "analysis/cut/node_sizes.h"
#include "passes/partition/accelerator_partitioner.h"
#include "test_case.h"
#include "test_support.h"
#include "verify/verify.h"

#include <QTest>

#include <set>

using namespace sunder;

namespace {

std::vector<Device> devices(std::initializer_list<double> memories)
{
    std::vector<Device> made;
    for (const double bytes : memories)
        made.push_back({.name = {}, .availableBytes = bytes, .logicalId = static_cast<std::int64_t>(made.size())});
    return made;
}

/// Returns the result; a refusal fails the test with its message.
PartitionResult made(Result<PartitionResult> result)
{
    if (!result)
        qFatal("%s", result.error().message.c_str());
    return std::move(*result);
}

std::set<std::string> callsOf(const Program& program, const Partition& partition)
{
    std::set<std::string> names;
    for (const NodeId id : partition.nodes)
        if (program.rootGraph()[id].isCall())
            names.insert(program.rootGraph()[id].name.str());
    return names;
}

/// The calls that were copied into a part of the split.
std::set<std::string> callsInPart(const Program& program, const PartitionResult& result, const std::string& name)
{
    std::set<std::string> names;
    for (const IdentityMap::Pair& pair : result.split.map.pairs())
        for (std::size_t i = 0; i < result.split.parts.size(); ++i)
            if (result.split.partNames[i].view() == name && pair.result.graph == result.split.parts[i] && !pair.created
                && program.node(pair.source).isCall())
                names.insert(program.node(pair.source).name.str());
    return names;
}

/// Six calls on values of 16 B: two branches whose calls alternate in the graph.
Program twoBranches()
{
    return test::programFromText("x = placeholder() : 1x4\n"
                                 "y = placeholder() : 1x4\n"
                                 "a1 = f(x) : 1x4\n"
                                 "b1 = g(y) : 1x4\n"
                                 "a2 = f(a1) : 1x4\n"
                                 "b2 = g(b1) : 1x4\n"
                                 "a3 = f(a2) : 1x4\n"
                                 "b3 = g(b2) : 1x4\n"
                                 "output(a3, b3)\n");
}

PartitionerConfig timed(PartitionMode mode, const Program& program, std::vector<Device> over)
{
    PartitionerConfig config{.mode = mode, .devices = std::move(over), .transferBytesPerSecond = 1};
    for (const NodeId id : program.rootGraph().nodes())
        if (program.rootGraph()[id].isCall())
            config.latencies.emplace_back(program.rootGraph()[id].name, NodeLatency{.memory = 1, .compute = 10});
    return config;
}

/// Embeddings of 160 B each and additions.
Program tables(int count, bool dense)
{
    std::string text = "i = placeholder() : 1x4\n";
    std::string results;
    for (int k = 0; k < count; ++k) {
        const std::string name = "t" + std::to_string(k);
        text += name + " = call_module[" + name + "](i) : 1x4\n";
        if (dense && k > 0)
            text += "s" + std::to_string(k) + " = add(" + results + ", " + name + ") : 1x4\n";
        results = dense && k > 0 ? "s" + std::to_string(k) : name;
    }
    Program program = test::programFromText(text + "output(" + results + ")\n");
    for (int k = 0; k < count; ++k) {
        const std::string name = "t" + std::to_string(k);
        program.modules[program.modules.ensure(name)].cls = intern("torch.nn.modules.sparse.Embedding");
        program.tensors.add({.fqn = intern(name + ".weight"),
                             .meta = {.dtype = intern("float32"), .shape = {Argument::integer(10), Argument::integer(4)}}});
    }
    return program;
}

/// Gives nodes their computed sizes, as if they came from a file.
Program withSizes(Program program)
{
    const NodeSizes sizes = *nodeSizes(program);
    Graph& graph = program.rootGraph();
    for (const NodeId id : graph.nodes()) {
        std::uint64_t total = sizes.own[id.index()];
        for (const std::uint32_t memory : sizes.reads.of(id))
            total += sizes.memory.bytes[memory];
        if (graph[id].op != Op::output)
            graph.setSizeBytes(id, SizeBytes{.output = sizes.output[id.index()], .total = total});
    }
    return program;
}

} // namespace

class AcceleratorPartitionerTest final : public QObject {
    Q_OBJECT
private slots:
    void inputsThatAreNoTensorsTakeNoBytes()
    {
        Program program = test::programFromText("x = placeholder() : 1x4\n"
                                                "mask = placeholder()\n"
                                                "mode = placeholder()\n"
                                                "state = placeholder()\n"
                                                "a = f(x, mask, mode, state) : 1x4\n"
                                                "output(a)\n");
        const Graph& graph = program.rootGraph();
        program.signature.emplace();
        program.signature->inputs = {{.kind = InputKind::user, .value = Argument::node(graph.first())},
                                     {.kind = InputKind::user, .value = Argument()},
                                     {.kind = InputKind::user, .value = Argument::string(intern("mean"))},
                                     {.kind = InputKind::object, .target = intern("state"), .name = intern("state")}};
        const Result<NodeSizes> sizes = nodeSizes(program);
        QVERIFY(sizes.has_value());
        QCOMPARE(*wholeBytes(program, *sizes), std::uint64_t{32});
    }

    void putsEverythingOnTheLargestDeviceThatHoldsIt()
    {
        const Program program = twoBranches();
        const PartitionResult result = made(acceleratorPartition(program, {.devices = devices({10, 200, 200})}));
        QCOMPARE(result.set.partitions.size(), std::size_t{1});
        QCOMPARE(result.set.partitions[0].devices, std::vector<std::int64_t>{1});
    }

    void fillsUnequalDevicesInTheirOrder()
    {
        const Program program = twoBranches();
        const PartitionResult result = made(acceleratorPartition(program, {.devices = devices({40, 100, 90})}));
        QCOMPARE(result.set.partitions.size(), std::size_t{3});
        QCOMPARE(callsOf(program, result.set.partitions[0]), std::set<std::string>{"a1"});
        QCOMPARE(result.set.partitions[0].devices, std::vector<std::int64_t>{0});
    }

    /// The remaining `c` needs 32 B, exactly the free memory of the first device.
    void acceptsAnExactFit()
    {
        const Program program = test::programFromText("x = placeholder() : 1x4\n"
                                                      "a = f(x) : 1x4\n"
                                                      "b = call_module[big](a) : 1x4\n"
                                                      "c = f(b) : 1x4\n"
                                                      "output(c)\n");
        PartitionerConfig config{.devices = devices({64, 0})};
        Program sized = withSizes(program);
        Graph& graph = sized.rootGraph();
        graph.setSizeBytes(graph.find(intern("b")), SizeBytes{.output = 16, .total = 80});
        config.devices[1].availableBytes = 96;
        const PartitionResult result = made(acceleratorPartition(sized, config));
        QCOMPARE(result.set.partitions.size(), std::size_t{3});
        QCOMPARE(result.set.partitions[2].devices, std::vector<std::int64_t>{0});
        const Result<PartitionResult> upstream = acceleratorPartition(sized, config, {.asUpstream = true});
        QVERIFY(!upstream);
        QVERIFY(upstream.error().message.find("needs 32 B there (alone ") != std::string::npos);
        QVERIFY(upstream.error().message.find("but the device with the most room has only 32 B left") != std::string::npos);
    }

    void spreadsAGraphWithoutTables()
    {
        const Program program = twoBranches();
        const PartitionerConfig config{.mode = PartitionMode::sparseNn, .devices = devices({96, 96})};
        QVERIFY(!acceleratorPartition(program, config, {.asUpstream = true}));
        const PartitionResult result = made(acceleratorPartition(program, config));
        QCOMPARE(verify(program, result.split.program)->verdict, Verdict::same);
        for (const Partition& partition : result.set.partitions)
            QCOMPARE(partition.devices.size(), std::size_t{1});
    }

    void spreadsAGraphOfNothingButTables()
    {
        const Program program = tables(2, false);
        const PartitionerConfig config{.mode = PartitionMode::sparseNn, .devices = devices({200, 200})};
        QVERIFY(!acceleratorPartition(withSizes(program), config, {.asUpstream = true}));
        QCOMPARE(acceleratorPartition(program, config)->set.partitions.size(), std::size_t{2});
    }

    void putsDensePartitionsBesideEveryTableAndEachReplicaOnce()
    {
        const Program program = withSizes(test::programFromText("i = placeholder() : 1x4\n"
                                                                "d0 = f(i) : 1x4\n"
                                                                "t0 = call_module[t0](d0) : 1x4\n"
                                                                "d1 = f(t0) : 1x4\n"
                                                                "t1 = call_module[t1](d1) : 1x4\n"
                                                                "d2 = f(t1) : 1x4\n"
                                                                "output(d2)\n"));
        Program heavy = program;
        for (const char* name : {"t0", "t1"}) {
            heavy.modules[heavy.modules.ensure(name)].cls = intern("torch.nn.modules.sparse.Embedding");
            heavy.rootGraph().setSizeBytes(heavy.rootGraph().find(intern(name)), SizeBytes{.output = 16, .total = 200});
        }
        const PartitionerConfig config{
            .mode = PartitionMode::sparseNn, .saturateHost = true, .devices = devices({350, 350, 350, 350})};
        const auto repeats = [](const PartitionResult& result) {
            std::size_t most = 0;
            for (const Partition& partition : result.set.partitions)
                most = std::max(most,
                                partition.devices.size() - std::set(partition.devices.begin(), partition.devices.end()).size());
            return most;
        };
        const PartitionResult upstream = made(acceleratorPartition(heavy, config, {.asUpstream = true}));
        const PartitionResult ours = made(acceleratorPartition(heavy, config));
        QVERIFY(repeats(upstream) > 0);
        QCOMPARE(repeats(ours), std::size_t{0});
        QCOMPARE(ours.set.partitions[0].devices, (std::vector<std::int64_t>{0, 1, 2, 3}));
    }

    void saysWhichPartitionNoDeviceTakes()
    {
        const Program program = withSizes(twoBranches());
        PartitionerConfig config = timed(PartitionMode::costAware, program, devices({100, 31}));
        config.devices[0].availableBytes = 30;
        config.devices.push_back({.name = {}, .availableBytes = 30, .logicalId = 2});
        config.devices.push_back({.name = {}, .availableBytes = 31, .logicalId = 3});
        config.devices.push_back({.name = {}, .availableBytes = 31, .logicalId = 4});
        const Result<PartitionResult> upstream = acceleratorPartition(program, config, {.asUpstream = true});
        QVERIFY2(upstream.has_value(), upstream ? "" : upstream.error().message.c_str());
        QVERIFY(upstream->set.partitions.back().devices.empty());
        const Result<PartitionResult> ours = acceleratorPartition(program, config);
        QVERIFY(!ours);
        QVERIFY2(ours.error().message.find("no device has room for partition") != std::string::npos,
                 ours.error().message.c_str());
        QVERIFY(!ours.error().where.node.empty());
    }

    void joinsBranchesByTheirLatency()
    {
        const Program program = twoBranches();
        const PartitionResult result = made(
            acceleratorPartition(program, timed(PartitionMode::costAware, program, devices({100, 100}))));
        QVERIFY(result.set.partitions.size() < 4);
        QVERIFY(*result.graphLatency < 62); // six partitions on six devices
    }

    void exchangesReachTheSplit()
    {
        const Program program = withSizes(test::programFromText("x = placeholder() : 1x4\n"
                                                                "y = placeholder() : 1x4\n"
                                                                "a = f(x) : 1x4\n"
                                                                "alone = f(y) : 1x4\n"
                                                                "b = f(a) : 1x4\n"
                                                                "output(alone, b)\n"));
        const PartitionerConfig config = timed(PartitionMode::klBased, program, devices({64, 64}));
        PartitionerConfig bySize = config;
        bySize.mode = PartitionMode::sizeBased;
        const PartitionResult before = made(acceleratorPartition(program, bySize));
        const PartitionResult ours = made(acceleratorPartition(program, config));
        const PartitionResult upstream = made(acceleratorPartition(program, config, {.asUpstream = true}));
        QVERIFY(*ours.graphLatency < *before.graphLatency);
        for (const Partition& partition : ours.set.partitions)
            QCOMPARE(callsInPart(program, ours, "submod_" + std::to_string(partition.id)), callsOf(program, partition));
        for (const Partition& partition : before.set.partitions)
            QCOMPARE(callsInPart(program, upstream, "submod_" + std::to_string(partition.id)), callsOf(program, partition));
        QVERIFY(callsOf(program, upstream.set.partitions[0]) != callsOf(program, before.set.partitions[0]));
        QCOMPARE(verify(program, ours.split.program)->verdict, Verdict::same);
    }

    void wantsTheLatencyOfEveryCall()
    {
        const Program program = twoBranches();
        PartitionerConfig config = timed(PartitionMode::klBased, program, devices({96, 96}));
        config.latencies.pop_back();
        QCOMPARE(acceleratorPartition(program, config).error().where.node, "b3");
        config = timed(PartitionMode::costAware, program, devices({96, 96}));
        config.transferBytesPerSecond = 0;
        QVERIFY(acceleratorPartition(program, config).error().message.find("transfer_rate_bytes_per_sec") != std::string::npos);
    }

    void takesPartitionsInAnyOrderAndWatchesTheirMemory()
    {
        const Program program = withSizes(twoBranches());
        PartitionerConfig config{.mode = PartitionMode::aotBased, .devices = devices({64, 70})};
        for (const char* name : {"b1", "b2", "b3", "a1", "a2", "a3"})
            config.nodeToPartition.emplace_back(intern(name), name[0] == 'b' ? 7 : 3);
        config.partitionToDevices = {{3, {0}}, {7, {1}}};
        QVERIFY(!acceleratorPartition(program, config, {.asUpstream = true}));
        const PartitionResult result = made(acceleratorPartition(program, config));
        QCOMPARE(result.dag.size(), std::size_t{2});
        for (const PartitionDagNode& record : result.dag)
            QCOMPARE(record.devices, std::vector<std::int64_t>{record.submodule.view() == "submod_7" ? 1 : 0});
        config.devices[1].availableBytes = 63;
        const Result<PartitionResult> full = acceleratorPartition(program, config);
        QVERIFY(!full);
        QCOMPARE(
            QString::fromStdString(full.error().message),
            QStringLiteral(
                "device 1 would hold 64 B by PyTorch's count (weights 0 B, activations 48 B that are never freed, inputs 16 B), but has only "
                "63 B; the run-time peak is 48 B; give it more memory"));
        config.partitionToDevices[1].second = {5};
        QVERIFY(acceleratorPartition(program, config).error().message.find("is assigned to the unknown device 5")
                != std::string::npos);
    }

    void refusesPartitionsInACircle()
    {
        const Program program = test::programFromText(
            "x = placeholder() : 1x4\na = f(x) : 1x4\nb = f(a) : 1x4\nc = f(b) : 1x4\noutput(c)\n");
        PartitionerConfig config{.mode = PartitionMode::aotBased, .devices = devices({100, 100})};
        config.nodeToPartition = {{intern("a"), 0}, {intern("b"), 1}, {intern("c"), 0}};
        config.partitionToDevices = {{0, {0}}, {1, {1}}};
        const Result<PartitionResult> result = acceleratorPartition(program, config);
        QVERIFY(!result);
        QCOMPARE(result.error().code, ErrorCode::refused);
    }
};

const test::Registered<AcceleratorPartitionerTest> acceleratorPartitionerTest("accelerator_partitioner_test");
#include "accelerator_partitioner_test.moc"
