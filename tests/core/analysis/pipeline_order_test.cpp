// Orders of pipeline schedules. tests/torch/schedules_in_torch.py compares many sizes with PyTorch.
#include "analysis/schedule/pipeline_order.h"

#include "analysis/schedule/timetable.h"
#include "test_case.h"

#include <QTest>

#include <set>

using namespace sunder;

namespace {

Result<PipelineOrder> orderOn(std::string_view schedule, std::uint32_t ranks, std::uint32_t microBatches)
{
    const PipelineSchedule parsed = *parsePipelineSchedule(schedule);
    return pipelineOrder(parsed, {ranks, hasOneStagePerRank(parsed) ? ranks : 2 * ranks, microBatches});
}

QString textOf(const std::vector<PipelineAction>& actions)
{
    QStringList texts;
    for (const std::string& text : actionTexts(actions))
        texts.append(QString::fromStdString(text));
    return texts.join(u' ');
}

} // namespace

class PipelineOrderTest final : public QObject {
    Q_OBJECT

private slots:
    void ordersAreThoseOfPyTorch_data()
    {
        QTest::addColumn<QStringList>("orders"); // of two ranks and four micro-batches
        QTest::newRow("GPipe") << QStringList{QStringLiteral("0F0 0F1 0F2 0F3 0B0 0B1 0B2 0B3"),
                                              QStringLiteral("1F0 1F1 1F2 1F3 1B0 1B1 1B2 1B3")};
        QTest::newRow("1F1B") << QStringList{QStringLiteral("0F0 0F1 0B0 0F2 0B1 0F3 0B2 0B3"),
                                             QStringLiteral("1F0 1B0 1F1 1B1 1F2 1B2 1F3 1B3")};
        QTest::newRow("LoopedBFS") << QStringList{
            QStringLiteral("0F0 0F1 0F2 0F3 2F0 2F1 2F2 2F3 2B3 2B2 2B1 2B0 0B3 0B2 0B1 0B0"),
            QStringLiteral("1F0 1F1 1F2 1F3 3F0 3F1 3F2 3F3 3B3 3B2 3B1 3B0 1B3 1B2 1B1 1B0")};
        QTest::newRow("Interleaved1F1B") << QStringList{
            QStringLiteral("0F0 0F1 2F0 2F1 0F2 2B0 0F3 2B1 2F2 0B0 2F3 0B1 2B2 2B3 0B2 0B3"),
            QStringLiteral("1F0 1F1 3F0 3B0 3F1 3B1 1F2 1B0 1F3 1B1 3F2 3B2 3F3 3B3 1B2 1B3")};
        QTest::newRow("InterleavedZeroBubble") << QStringList{
            QStringLiteral("0F0 0F1 2F0 2F1 2I0 2W0 0F2 2I1 2W1 0F3 0I0 0W0 2F2 0I1 0W1 2F3 2I2 2W2 2I3 2W3 0I2 0W2 0I3 0W3"),
            QStringLiteral("1F0 1F1 3F0 3I0 3F1 3I1 3W0 1F2 1I0 3W1 1F3 1I1 1W0 3F2 3I2 1W1 3F3 3I3 3W2 1I2 3W3 1I3 1W2 1W3")};
        QTest::newRow("ZBVZeroBubble") << QStringList{
            QStringLiteral("0F0 0F1 0F2 3F0 3I0 3W0 3F1 3I1 3W1 0F3 0I0 0W0 3F2 3I2 3W2 0I1 0W1 3F3 3I3 3W3 0I2 0W2 0I3 0W3"),
            QStringLiteral("1F0 2F0 1F1 2F1 2I0 2W0 1F2 1I0 1W0 2F2 2I1 2W1 1F3 1I1 1W1 2F3 2I2 2W2 1I2 2I3 1I3 1W2 2W3 1W3")};
        QTest::newRow("DualPipeV") << QStringList{
            QStringLiteral(
                "0F0 0F1 0F2 3F0 3I0 3W0 3F1 (0F3;3B1)OVERLAP_F_B (3F2;0B0)OVERLAP_F_B 3B2 (3F3;0B1)OVERLAP_F_B 3B3 0I2 0W2 0I3 0W3"),
            QStringLiteral(
                "1F0 2F0 1F1 2F1 1F2 2B0 (2F2;1B0)OVERLAP_F_B (1F3;2B1)OVERLAP_F_B (2F3;1B1)OVERLAP_F_B 2B2 1B2 2I3 1I3 2W3 1W3")};
    }
    void ordersAreThoseOfPyTorch()
    {
        QFETCH(QStringList, orders);
        const PipelineOrder order = *orderOn(QTest::currentDataTag(), 2, 4);
        QCOMPARE(textOf(order.ranks[0]), orders[0]);
        QCOMPARE(textOf(order.ranks[1]), orders[1]);
    }

    void everyStageRunsEveryMicroBatchOnce_data()
    {
        QTest::addColumn<int>("chunks");
        for (const PipelineSchedule schedule : trainingSchedules())
            for (const int chunks : {1, 2, 3})
                QTest::addRow("%s, %d stages per rank", name(schedule).data(), chunks) << chunks;
    }
    void everyStageRunsEveryMicroBatchOnce()
    {
        QFETCH(int, chunks);
        const std::string_view row = QTest::currentDataTag();
        const PipelineSchedule schedule = *parsePipelineSchedule(row.substr(0, row.find(',')));
        const PipelineSizes sizes{4, 4 * static_cast<std::uint32_t>(chunks), 12};
        const Result<PipelineOrder> order = pipelineOrder(schedule, sizes);
        if (!order) {
            QCOMPARE(order.error().code, ErrorCode::refused);
            return;
        }
        std::set<std::string> seen;
        std::size_t backward = 0;
        for (std::uint32_t rank = 0; rank < sizes.ranks; ++rank)
            for (const PipelineAction& action : order->ranks[rank]) {
                QCOMPARE(order->rankOf[action.stage], rank);
                QVERIFY(seen.insert(describe(action)).second);
                backward += action.kind == ActionKind::backward ? 2U : action.kind != ActionKind::forward ? 1U : 0U;
            }
        QCOMPARE(backward, std::size_t{2} * sizes.stages * sizes.microBatches);
        QCOMPARE(timetable(*order, unitCosts(*order)).actions.size(), std::size_t{4});
    }

    void sizesThatPyTorchRefusesAreRefused()
    {
        QVERIFY(!orderOn("1F1B", 4, 3));
        QVERIFY(!orderOn("DualPipeV", 2, 3));
        QVERIFY(!orderOn("Interleaved1F1B", 3, 16));
        QVERIFY(!orderOn("InterleavedZeroBubble", 3, 16));
        QCOMPARE(QString::fromStdString(orderOn("1F1B", 4, 3).error().message),
                 QStringLiteral("1F1B needs at least as many micro-batches as stages: 3 for 4 stages"));
        QVERIFY(!pipelineOrder(PipelineSchedule::zbvZeroBubble, {2, 6, 8}));
        QVERIFY(!pipelineOrder(PipelineSchedule::gpipe, {2, 4, 8}));
        QVERIFY(!pipelineOrder(PipelineSchedule::loopedBfs, {2, 5, 8}));
        QVERIFY(!pipelineOrder(PipelineSchedule::gpipe, {8000, 8000, 1'000'000}));
    }

    void namesAreMatchedWithoutRegardToCase()
    {
        QCOMPARE(*parsePipelineSchedule("zbvzerobubble"), PipelineSchedule::zbvZeroBubble);
        QCOMPARE(*parsePipelineSchedule("Inference"), PipelineSchedule::inference);
        const Result<PipelineSchedule> unknown = parsePipelineSchedule("PipeDream");
        QVERIFY(!unknown);
        QVERIFY(unknown.error().message.find("DualPipeV") != std::string::npos);
    }

    void ranksFollowFromStages()
    {
        QCOMPARE(pipelineSizes(PipelineSchedule::gpipe, 5, 4)->ranks, 5U);
        QCOMPARE(pipelineSizes(PipelineSchedule::zbvZeroBubble, 6, 4)->ranks, 3U);
        QCOMPARE(pipelineSizes(PipelineSchedule::loopedBfs, 6, 4)->ranks, 3U);
        QCOMPARE(pipelineSizes(PipelineSchedule::loopedBfs, 5, 4)->ranks, 5U);
        QCOMPARE(pipelineSizes(PipelineSchedule::interleaved1F1B, 12, 4, 3)->ranks, 3U);
        QVERIFY(!pipelineSizes(PipelineSchedule::dualPipeV, 5, 4));
    }

    void inFlightCountsChunksWithoutBackwardPass()
    {
        QCOMPARE(orderOn("GPipe", 3, 5)->inFlightOfStages(), (std::vector<std::uint64_t>{5, 5, 5}));
        QCOMPARE(orderOn("1F1B", 3, 5)->inFlightOfStages(), (std::vector<std::uint64_t>{3, 2, 1}));
        QCOMPARE(orderOn("LoopedBFS", 2, 5)->inFlightOfStages(), (std::vector<std::uint64_t>{5, 5, 5, 5}));
    }
};

const test::Registered<PipelineOrderTest> pipelineOrderTest("pipeline_order_test");
#include "pipeline_order_test.moc"
