#include "analysis/cost/node_seconds.h"

#include "io/model_file.h"
#include "test_case.h"

#include <QTest>

using namespace sunder;

/// Seconds of nodes by the cost model and by measurement.
class NodeSecondsTest final : public QObject {
    Q_OBJECT

private slots:
    void isTheLongerOfComputeAndMemoryPlusTheLaunch()
    {
        const Device device{.name = "npu", .memoryBytesPerSecond = 1e9, .rates = {{"float32", 1e9}}};
        const ProgramSeconds seconds = *nodeSeconds(m_program, m_costs, &device);
        QVERIFY(seconds.model);
        QCOMPARE(seconds.model->rates.size(), std::size_t{1});
        for (const NodeId id : graph().order()) {
            const std::optional<double>& given = seconds.nodes[id.index()].seconds;
            QCOMPARE(given.has_value(), graph()[id].isCall());
            if (!given)
                continue;
            const NodeCost& cost = m_costs.nodes[id.index()];
            const double compute = static_cast<double>(*cost.flops) / (1e9 * 0.75);
            const double memory = static_cast<double>(cost.bytesRead + cost.bytesWritten) / (1e9 * 0.8);
            QCOMPARE(*given, std::max(compute, memory) + 5e-6);
            QVERIFY(!seconds.nodes[id.index()].source);
        }
        QCOMPARE(seconds.unknown, 0U);
    }

    void factorsOfTheDeviceAreUsed()
    {
        const Device device{.memoryBytesPerSecond = 1e9,
                            .computeEfficiency = 0.5,
                            .memoryEfficiency = 0.25,
                            .launchSeconds = 0.0,
                            .rates = {{"float32", 1e9}}};
        const NodeId linear = firstCall("torch.ops.aten.linear.default");
        const NodeCost& cost = m_costs.nodes[linear.index()];
        const ProgramSeconds seconds = *nodeSeconds(m_program, m_costs, &device);
        QCOMPARE(
            *seconds.nodes[linear.index()].seconds,
            std::max(static_cast<double>(*cost.flops) / 0.5e9, static_cast<double>(cost.bytesRead + cost.bytesWritten) / 0.25e9));
    }

    void measuredSecondsWinAndFollowTheSpeed()
    {
        const NodeId linear = firstCall("torch.ops.aten.linear.default");
        MeasuredCosts measured{.sources = {"costs.json"}};
        measured.nodes.resize(graph().idBound());
        measured.nodes[linear.index()] = {.seconds = 3, .transferSeconds = 0.5};
        const Device device{.speed = 2, .memoryBytesPerSecond = 1e9, .rates = {{"float32", 1e9}}};
        const ProgramSeconds seconds = *nodeSeconds(m_program, m_costs, &device, measured);
        QCOMPARE(*seconds.nodes[linear.index()].seconds, 1.5);
        QCOMPARE(*seconds.nodes[linear.index()].transferSeconds, 0.5);
        QCOMPARE(*seconds.nodes[linear.index()].source, 0U);
        QCOMPARE(seconds.measured, 1U);
        const ProgramSeconds alone = *nodeSeconds(m_program, m_costs, nullptr, measured);
        const std::vector<std::optional<double>> sums = moduleSeconds(m_program, m_costs, alone);
        QCOMPARE(*sums.front(), 3.0);
        for (std::size_t i = 1; i < sums.size(); ++i)
            QCOMPARE(sums[i].has_value(), isWithin("blocks.0.attention.q_proj", m_costs.modules[i].path.view()));
        QVERIFY(!alone.model);
        QVERIFY(alone.unknown > 0);
    }

    void aDeviceWithoutAFigureIsRefused()
    {
        const Device noRate{.name = "npu", .memoryBytesPerSecond = 1e9};
        const auto byRate = nodeSeconds(m_program, m_costs, &noRate);
        QVERIFY(!byRate);
        QVERIFY(byRate.error().message.find("device \"npu\" has no compute rate") == 0);
        QVERIFY(!byRate.error().where.node.empty());
        const Device noMemory{.name = "npu", .flopsPerSecond = 1e9};
        const auto byMemory = nodeSeconds(m_program, m_costs, &noMemory);
        QVERIFY(!byMemory);
        QVERIFY(byMemory.error().message.find("no memory bandwidth") != std::string::npos);
    }

private:
    [[nodiscard]] const Graph& graph() const { return m_program.rootGraph(); }

    [[nodiscard]] NodeId firstCall(std::string_view target) const
    {
        for (const NodeId id : graph().order())
            if (graph()[id].target.view() == target)
                return id;
        return {};
    }

    const Program m_program = *readModel(SUNDER_SOURCE "/resources/samples/transformer.pt2");
    const ProgramCosts m_costs = *programCosts(m_program);
};

const test::Registered<NodeSecondsTest> nodeSecondsTest("node_seconds_test");
#include "node_seconds_test.moc"
