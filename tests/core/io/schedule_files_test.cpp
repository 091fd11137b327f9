// Orders and timetables as files. tests/torch/schedules_in_torch.py has PyTorch read them.
#include "io/side_files/schedule_files.h"

#include "test_case.h"

#include <QTest>

#include <nlohmann/json.hpp>

#include <map>

using namespace sunder;

class ScheduleFilesTest final : public QObject {
    Q_OBJECT

private slots:
    void ordersHaveALinePerRank()
    {
        const PipelineOrder order = *pipelineOrder(PipelineSchedule::dualPipeV, {1, 2, 2});
        QCOMPARE(QString::fromStdString(scheduleCsv(order)),
                 QStringLiteral("0F0,1F0,0F1,1B0,(1F1;0B0)OVERLAP_F_B,1B1,0I1,0W1\n"));
        const PipelineOrder two = *pipelineOrder(PipelineSchedule::gpipe, {2, 2, 1});
        QCOMPARE(QString::fromStdString(scheduleCsv(two)), QStringLiteral("0F0,0B0\n1F0,1B0\n"));
    }

    void traceHasEveryActionAndBothEndsOfTransfers()
    {
        const PipelineOrder order = *pipelineOrder(PipelineSchedule::oneForwardOneBackward, {2, 2, 3});
        PipelineCosts costs = unitCosts(order);
        costs.transfers.front().forward = 0.5;
        costs.transfers.front().backward = 0.25;
        costs.held = {7, 8};
        const nlohmann::json trace = nlohmann::json::parse(
            scheduleTrace(order, timetable(order, costs), std::array{std::string("npu \"0\"")}));
        std::map<std::string, int> phases;
        for (const nlohmann::json& event : trace["traceEvents"])
            ++phases[event["ph"]];
        QCOMPARE(phases["X"], 12 + 2 * 6);
        QCOMPARE(phases["s"], 6);
        QCOMPARE(phases["f"], 6);
        QVERIFY(phases["C"] >= 2);
        QCOMPARE(phases["M"], 2 * 5);
        QCOMPARE(trace["traceEvents"][0]["args"]["name"], "rank 0: npu \"0\"");
        for (const nlohmann::json& event : trace["traceEvents"])
            if (event["ph"] == "X" && event["name"] == "1F0") {
                QCOMPARE(event["ts"].get<double>(), 1.5e6); // after the first forward pass and its transfer
                QCOMPARE(event["dur"].get<double>(), 1e6);
                QCOMPARE(event["pid"].get<int>(), 1);
            }
    }

    void withoutActionsTheTraceIsStillJson()
    {
        const nlohmann::json trace = nlohmann::json::parse(scheduleTrace({}, {}, {}));
        QVERIFY(trace["traceEvents"].empty());
    }
};

const test::Registered<ScheduleFilesTest> scheduleFilesTest("schedule_files_test");
#include "schedule_files_test.moc"
