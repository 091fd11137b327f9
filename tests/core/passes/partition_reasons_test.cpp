#include "passes/partition/partition_reasons.h"

#include "passes/partition/accelerator_partitioner.h"
#include "passes/partition/size_based_partitioner.h"
#include "test_case.h"
#include "test_support.h"

#include <QTest>

#include <algorithm>

using namespace sunder;

namespace {

/// A chain of four calls on values of 16 B. Each call needs 32 B if its input is in another partition, else 16 B.
Program fourInARow()
{
    return test::programFromText("x = placeholder() : 1x4\n"
                                 "a = f(x) : 1x4\n"
                                 "b = f(a) : 1x4\n"
                                 "c = f(b) : 1x4\n"
                                 "d = f(c) : 1x4\n"
                                 "output(d)\n");
}

std::vector<Device> devices(const std::vector<double>& memories)
{
    std::vector<Device> made;
    for (const double bytes : memories)
        made.push_back({.name = "gpu" + std::to_string(made.size()),
                        .availableBytes = bytes,
                        .logicalId = static_cast<std::int64_t>(made.size())});
    return made;
}

std::string together(const std::vector<std::string>& sentences)
{
    std::string all;
    for (const std::string& sentence : sentences)
        all += (all.empty() ? "" : " ") + sentence;
    return all;
}

NodeId node(const Program& program, const char* name)
{
    return NodeIndex(program.rootGraph()).find(intern(name));
}

} // namespace

class PartitionReasonsTest final : public QObject {
    Q_OBJECT
private slots:
    void init() { m_program = fourInARow(); }

    void oneDeviceHasRoomForAll()
    {
        const std::vector<Device> over = devices({64, 1000, 64});
        const PartitionSet set = cut({.devices = over});
        QCOMPARE(
            together(reasonsOfCut(graph(), set, over)),
            std::string("The whole model fits on gpu1 (80 B of 1.0 kB by PyTorch's count), so the partitioner makes one part. To "
                        "split it, give each device less than 80 B, or tag the parts yourself. gpu0 and gpu2 are empty."));
        QVERIFY(contains(reasonOfNode(graph(), set, node(m_program, "c"), over), "c is in submod_0: it is the only part."));
        QCOMPARE(reasonOfDevice(graph(), set, 0, over), std::string("gpu0 is empty: the whole model fits on gpu1."));
    }

    void aPartEndsWhereTheNextOpDoesNotFit()
    {
        const std::vector<Device> over = devices({20, 50, 60, 70});
        const PartitionSet set = cut({.devices = over});
        QCOMPARE(set.partitions.size(), std::size_t{2});
        const std::string all = together(reasonsOfCut(graph(), set, over));
        QVERIFY2(
            contains(
                all,
                "Devices are filled one after another with ops in graph order; PyTorch counts all values for the whole run."),
            all.c_str());
        QVERIFY2(contains(all, "submod_0 ends before c, which needs 16 B, but gpu1 has only 2 B left."), all.c_str());
        QVERIFY2(contains(all, "gpu0 is empty: it has only 20 B, too little for a, the first op of submod_0."), all.c_str());
        QVERIFY2(contains(all, "gpu3 is empty: all ops were placed on earlier devices."), all.c_str());
        const std::string first = reasonOfPart(graph(), set, 0, over);
        QVERIFY2(contains(first, "submod_0 is on gpu1, the first empty device with room for a. Too small for that op: gpu0."),
                 first.c_str());
        const std::string c = reasonOfNode(graph(), set, node(m_program, "c"), over);
        QVERIFY2(contains(c, "c is in submod_1: submod_0 has no room for it: it needs 16 B, but only 2 B were left."), c.c_str());
        const std::string d = reasonOfNode(graph(), set, node(m_program, "d"), over);
        QVERIFY2(contains(d, "ops are placed in graph order, and the device had room for it."), d.c_str());
        const std::string x = reasonOfNode(graph(), set, node(m_program, "x"), over);
        QCOMPARE(x, std::string("x is in each part that uses it: submod_0."));
    }

    void devicesThatAreTooSmallAreNotedOnce()
    {
        std::vector<double> bytes(50, 10);
        bytes.insert(bytes.end(), {50, 60});
        const std::vector<Device> over = devices(bytes);
        const PartitionSet set = cut({.devices = over});
        QCOMPARE(set.partitions.size(), std::size_t{2});
        std::size_t passedOver = 0;
        for (const Partition& partition : set.partitions) {
            QCOMPARE(partition.origin.tooSmallCount, std::size_t{50});
            QCOMPARE(partition.origin.tooSmall.size(), PartitionOrigin::kMaxTooSmall);
            passedOver += partition.origin.passedOver.size();
        }
        QCOMPARE(passedOver, std::size_t{50}); // not once for each partition
        const AllReasons all = allReasons(graph(), set, over);
        for (const std::string& part : all.parts)
            QVERIFY2(contains(part, "Too small for that op: gpu0, gpu1, gpu2, gpu3 and 46 more."), part.c_str());
        QCOMPARE(all.devices[49], std::string("gpu49 is empty: it has only 10 B, too little for a, the first op of submod_0."));
        QCOMPARE(all.devices[50], reasonOfDevice(graph(), set, 50, over));
        QCOMPARE(all.parts[1], reasonOfPart(graph(), set, 1, over));
        QVERIFY(all.cut == reasonsOfCut(graph(), set, over));
    }

    /// Each op recorded as the end of a part did not fit there, by the partitioner's own accounting.
    void whatIsNotedIsTrue()
    {
        for (const double most : {33.0, 40.0, 48.0, 50.0, 64.0}) {
            const std::vector<Device> over = devices({most, most, most, most});
            for (const bool is2020 : {false, true}) {
                const Result<PartitionResult> made = is2020 ? sizeBasedPartition(m_program, over)
                                                            : acceleratorPartition(m_program, {.devices = over});
                QVERIFY2(made.has_value(), made ? "" : made.error().message.c_str());
                for (const Partition& partition : made->set.partitions) {
                    QCOMPARE(partition.origin.kind, PartitionOrigin::Kind::filled);
                    if (!partition.origin.next)
                        continue;
                    QVERIFY(partition.origin.leftBytes < static_cast<double>(partition.origin.nextBytes));
                    QVERIFY(std::ranges::find(partition.nodes, partition.origin.next) == partition.nodes.end()
                            || partition.origin.joined > 1);
                }
                QVERIFY(!made->set.partitions.back().origin.next);
            }
        }
    }

    void opsAreAloneWhereDevicesHaveRunOut()
    {
        const Program program = test::programFromText("x = placeholder() : 1x4\n"
                                                      "a = f(x) : 1x4\n"
                                                      "b = f(x) : 1x16\n"
                                                      "c = f(x) : 1x4\n"
                                                      "output(c)\n");
        const std::vector<Device> over = devices({70, 90});
        const Result<PartitionResult> made = acceleratorPartition(program, {.devices = over});
        QVERIFY2(made.has_value(), made ? "" : made.error().message.c_str());
        const auto isAlone = [](const Partition& one) { return one.origin.kind == PartitionOrigin::Kind::alone; };
        const auto alone = static_cast<std::size_t>(std::ranges::count_if(made->set.partitions, isAlone));
        const std::string all = together(reasonsOfCut(program.rootGraph(), made->set, over));
        QCOMPARE(alone, std::size_t{1});
        QVERIFY2(contains(all, "After every device had a part, 1 op became a part of its own, placed where there was room."),
                 all.c_str());
    }

    void anExchangeAndARequestAreToldApart()
    {
        const std::vector<Device> over = devices({50, 60, 70});
        PartitionerConfig config{.mode = PartitionMode::aotBased, .devices = over};
        for (const char* name : {"a", "b", "c", "d"})
            config.nodeToPartition.emplace_back(intern(name), name[0] < 'c' ? 0 : 1);
        config.partitionToDevices = {{0, {1}}, {1, {2}}};
        const PartitionSet given = cut(config);
        const std::string all = together(reasonsOfCut(graph(), given, over));
        QVERIFY2(contains(all, "The parts and their devices are as requested."), all.c_str());
        QVERIFY2(contains(all, "gpu0 is empty: no part was requested for it."), all.c_str());

        PartitionerConfig exchanged{.mode = PartitionMode::klBased, .devices = devices({50, 60}), .transferBytesPerSecond = 1};
        for (const char* name : {"x", "a", "b", "c", "d", "output"})
            exchanged.latencies.emplace_back(intern(name), NodeLatency{.memory = 1, .compute = 1});
        const PartitionSet moved = cut(exchanged);
        const std::string said = together(reasonsOfCut(graph(), moved, exchanged.devices));
        QVERIFY2(contains(said, "moved afterward"), said.c_str());
        exchanged.mode = PartitionMode::costAware;
        const std::string joined = together(reasonsOfCut(graph(), cut(exchanged), exchanged.devices));
        QVERIFY2(contains(joined, "parts were merged while the estimated latency did not increase"), joined.c_str());
    }

private:
    [[nodiscard]] const Graph& graph() const { return m_program.rootGraph(); }
    static bool contains(const std::string& text, const char* part) { return text.find(part) != std::string::npos; }

    PartitionSet cut(const PartitionerConfig& config)
    {
        Result<PartitionResult> made = acceleratorPartition(m_program, config);
        if (!made)
            qFatal("%s", made.error().message.c_str());
        return std::move(made->set);
    }

    Program m_program;
};

const test::Registered<PartitionReasonsTest> partitionReasonsTest("partition_reasons_test");
#include "partition_reasons_test.moc"
