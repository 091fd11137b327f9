#include "passes/partition/partition_reasons.h"

#include "test_case.h"
#include "training_program.h"

#include <QTest>

using namespace sunder;

namespace {

const Program kProgram = test::trainingProgram();

/// The forward pass on device 0; the first `moved` backward calls on the given devices, the others with the forward pass.
PartitionSet set(std::size_t moved, std::vector<std::int64_t> devices)
{
    const TrainingGraph training = trainingGraph(kProgram);
    PartitionSet made{.partitions = {{.id = 0, .devices = {0}}, {.id = 1, .devices = std::move(devices)}},
                      .partitionOf = std::vector<std::uint32_t>(kProgram.rootGraph().idBound(), PartitionSet::kNone)};
    for (const NodeId id : kProgram.rootGraph().nodes())
        if (kProgram.rootGraph()[id].isCall()) {
            const bool isMoved = training.isBackwardCall(id) && moved > 0;
            made.partitionOf[id.index()] = isMoved ? 1 : 0;
            moved -= isMoved ? 1 : 0;
        }
    return made;
}

} // namespace

class SeparateForwardBackwardTest final : public QObject {
    Q_OBJECT
private slots:
    void countsBackwardCallsOnOtherDevices()
    {
        const std::string said = separateForwardBackward(trainingGraph(kProgram), set(4, {1, 2}));
        QVERIFY2(said.starts_with("4 of 9 ops of the backward pass are not on the device of their forward op"), said.c_str());
        QVERIFY(said.ends_with("then split or partition as tagged."));
    }

    void saysNothingWhereBothAreTogether()
    {
        QCOMPARE(separateForwardBackward(trainingGraph(kProgram), set(0, {1})), std::string());
        QCOMPARE(separateForwardBackward(trainingGraph(kProgram), set(4, {1, 0})), std::string());
        QCOMPARE(separateForwardBackward({}, set(4, {1})), std::string());
    }
};

const test::Registered<SeparateForwardBackwardTest> separateForwardBackwardTest("separate_forward_backward_test");
#include "separate_forward_backward_test.moc"
