#include "tagging/device_fit.h"

#include "effectful_program.h"
#include "parameter_chain.h"
#include "tagging/problem.h"
#include "tagging/tag_check.h"
#include "test_case.h"

#include <QTest>

using namespace sunder;

namespace {

/// A chain of ops a0, a1 … with 1,000 bytes of weights each and values of 40 bytes.
Program weightedChain(int ops)
{
    QString text = QStringLiteral("x = placeholder() : 10\n");
    for (int i = 0; i < ops; ++i)
        text += QString("w%1 = get_attr[m.w%1]()\n").arg(i);
    for (int i = 0; i < ops; ++i)
        text += QString("a%1 = mul(%2, w%1) : 10\n").arg(i).arg(i == 0 ? "x" : QString("a%1").arg(i - 1));
    Program made = test::programFromText((text + QString("out = output(a%1)").arg(ops - 1)).toStdString());
    made.modules.ensure("m");
    for (int i = 0; i < ops; ++i)
        test::addTensor(made, qPrintable(QString("m.w%1").arg(i)), 250);
    return made;
}

std::vector<Device> devicesOf(std::initializer_list<double> memory)
{
    std::vector<Device> devices;
    for (const double bytes : memory)
        devices.push_back({.name = "gpu" + std::to_string(devices.size()),
                           .availableBytes = bytes,
                           .logicalId = static_cast<std::int64_t>(devices.size())});
    return devices;
}

} // namespace

/// Parts that exceed the memory of their devices.
class DeviceFitTest final : public QObject {
    Q_OBJECT
private slots:
    void loadsAfterAMoveAreThoseOfTheNewCut()
    {
        for (unsigned seed = 0; seed < 60; ++seed) {
            const Program program = test::effectfulProgram(seed, 30);
            const auto graph = std::make_shared<const CutGraph>(cutGraph(program));
            TagAssignment cut{.order = {intern("p"), intern("q"), intern("r")},
                              .tagOf = std::vector<std::int32_t>(program.rootGraph().idBound(), TagAssignment::kUntagged)};
            for (std::uint32_t call = 0; call < graph->callCount; ++call)
                cut.tagOf[graph->nodes[call].index()] = static_cast<std::int32_t>((call * 7 + seed) % 5 % 3);
            const std::vector<Device> devices = devicesOf({500, 600, 700});
            const DeviceFit fit = deviceFit(graph, cut, devices);
            std::vector<TagChange> changes;
            for (std::uint32_t call = seed % 7; call < graph->callCount;
                 call += 1 + seed % 6) // if every call changes, parts become empty
                changes.emplace_back(graph->nodes[call], static_cast<std::int32_t>(seed % 3) - (seed % 11 == 0 ? 1 : 0));
            for (const auto& [id, tag] : changes)
                cut.tagOf[id.index()] = tag;
            const DeviceFit wanted = deviceFit(graph, cut, devices);
            const std::vector<DeviceLoad> loads = loadsAfter(fit, changes);
            QCOMPARE(loads.size(), wanted.loads.size());
            for (std::size_t device = 0; device < loads.size(); ++device) {
                PartSizes sizes = loads[device].sizes;
                sizes.duplicatedBytes = wanted.loads[device].sizes.duplicatedBytes;
                QVERIFY(sizes == wanted.loads[device].sizes);
                QCOMPARE(loads[device].overflowBytes(), wanted.loads[device].overflowBytes());
            }
        }
    }

    void isSilentWhereAllFits()
    {
        QCOMPARE(overflows(tagged(4), devicesOf({1e6, 1e6})).size(), 0U);
        QCOMPARE(overflows(tagged(4), {}).size(), 0U);
        QCOMPARE(overflows(tagged(0), devicesOf({10})).size(), 0U); // nothing is tagged
        QCOMPARE(overflows(tagged(8), devicesOf({1e6, 10})).size(), 0U); // the second device has no ops
    }

    void anOverflowIsAnErrorWithItsFigures()
    {
        const Problems found = overflows(tagged(6), devicesOf({5000, 9000}));
        QCOMPARE(found.size(), 1U);
        QCOMPARE(found.front().severity, Severity::error);
        QCOMPARE(found.front().text,
                 std::string("p needs 6.1 kB on device \"gpu0\", which has 5.0 kB: 1.1 kB too much (weights 6.0 kB, activations "
                             "80 B at their peak, inputs 40 B)."));
        QCOMPARE(found.front().nodes.size(), 6U);
        const std::vector<NodeId>& nodes = found.front().nodes; // of 1,000 bytes each: the last two do not fit
        QCOMPARE(found.front().excess, (std::vector{nodes[4], nodes[5]}));
    }

    void itsRepairsMakeAllFit()
    {
        const TagAssignment tags = tagged(6);
        const std::vector<Device> devices = devicesOf({5000, 9000});
        const Problems found = overflows(tags, devices);
        QStringList labels;
        for (const Repair& repair : found.front().repairs) {
            labels << QString::fromStdString(repair.label);
            if (repair.kind == Repair::Kind::show)
                continue;
            const Result<TagAssignment> after = repaired(m_snapshot, tags, repair);
            QVERIFY(after.has_value());
            QCOMPARE(overflows(*after, devices).size(), 0U);
            QVERIFY(checkTags(m_snapshot.program, *after).isLegal());
            QVERIFY(repair.bytes > 0 && repair.calls > 0);
        }
        QCOMPARE(labels, (QStringList{"Move the last 2 ops to q", "2 equal stages", "Show"}));
    }

    void opsGoToTheEarlierNeighborToo()
    {
        const Problems found = overflows(tagged(2), devicesOf({9000, 5000}));
        QCOMPARE(found.front().repairs.front().label, std::string("Move the first 2 ops to p"));
    }

    void nothingIsOfferedThatDoesNotFit()
    {
        const Problems found = overflows(tagged(6), devicesOf({5000, 2500}));
        QCOMPARE(found.size(), 1U);
        QCOMPARE(found.front().repairs.size(), 1U);
        QCOMPARE(found.front().repairs.front().kind, Repair::Kind::show);
    }

    void aFixThatWouldOverfillADeviceIsListedWithItsReason()
    {
        TagAssignment tags = tagged(5);
        tags.tagOf[m_snapshot.graph().find(intern("a2")).index()] = 1; // a backward edge to a3
        const TagCheck check = checkOf(m_snapshot, tags, {}, {.devices = devicesOf({4500, 9000})});
        const auto problem = std::ranges::find(check.problems, Problem::Kind::backwardEdge, &Problem::kind);
        QVERIFY(problem != check.problems.end());
        QVERIFY(!problem->blocked.empty());
        QCOMPARE(describe(problem->blocked.front()),
                 std::string("\"Move a2 to p\" is not possible: device \"gpu0\" would need 5.1 kB, 620 B too much"));
        QVERIFY(std::ranges::none_of(problem->repairs, [](const Repair& repair) { return repair.label == "Move a2 to p"; }));
        const TagCheck roomy = checkOf(m_snapshot, tags, {}, {.devices = devicesOf({9000, 9000})});
        QVERIFY(std::ranges::all_of(roomy.problems, [](const Problem& one) { return one.blocked.empty(); }));
    }

    void whatNoNeighborTakesSaysWhatWouldHelp()
    {
        const auto saysAtItsEnd = [&](const Problems& found, const std::string& help) {
            return found.size() == 1 && found.front().repairs.size() == 1 && found.front().text.ends_with(help);
        };
        const Problems full = overflows(tagged(6), devicesOf({5000, 2500}));
        QVERIFY2(saysAtItsEnd(full,
                              " The other devices have only 380 B free: add 1.1 kB to device \"gpu0\", or add a device "
                              "with at least 740 B and a tag for it."),
                 full.front().text.c_str());
        const Problems free = overflows(tagged(6), devicesOf({5000, 2500, 1200}));
        QVERIFY2(saysAtItsEnd(free,
                              " The unused device \"gpu2\" has 1.2 kB: add a tag and move at least 1.1 kB of this "
                              "part to it."),
                 free.front().text.c_str());
    }

    void aPartitionIsHeldToItsOwnDevices()
    {
        const std::vector<PartitionDagNode> dag = {{.submodule = intern("p"), .devices = {1}},
                                                   {.submodule = intern("q"), .devices = {1}}};
        const TagCheck check = checkOf(m_snapshot, tagged(0), {},
                                       {.partition = DeviceQuestion::Partition{tagged(4), devicesOf({100, 3000}), dag}});
        QCOMPARE(check.fits.size(), 1U);
        const Problems found = overflowsOf(check);
        QCOMPARE(found.size(), 1U);
        QVERIFY2(found.front().text.starts_with("p, q together need 8.1 kB on device \"gpu1\", which has 3.0 kB"),
                 found.front().text.c_str());
        QVERIFY(found.front().text.find(" at their peak") != std::string::npos); // as for tags
        QCOMPARE(found.front().repairs.size(), 1U); // a partition is not fixed by changing tags
    }

private:
    /// The first `count` ops have tag p, the others q; with 0, no op has a tag.
    TagAssignment tagged(int count) const
    {
        std::vector<TagPair> pairs;
        for (int i = 0; i < 8 && count > 0; ++i)
            pairs.emplace_back(intern("a" + std::to_string(i)), intern(i < count ? "p" : "q"));
        return assignTags(m_snapshot.graph(), {intern("p"), intern("q")}, pairs);
    }

    static Problems overflowsOf(const TagCheck& check)
    {
        Problems found;
        std::ranges::copy_if(check.problems, std::back_inserter(found),
                             [](const Problem& problem) { return problem.kind == Problem::Kind::overflow; });
        return found;
    }

    Problems overflows(const TagAssignment& tags, std::vector<Device> devices) const
    {
        return overflowsOf(checkOf(m_snapshot, tags, {}, {.devices = std::move(devices)}));
    }

    const Snapshot m_snapshot{weightedChain(8)};
};

const test::Registered<DeviceFitTest> deviceFitTest("device_fit_test");
#include "device_fit_test.moc"
