// Cuts with a short step: compared with all cuts of small chains, and with the timetable of the tagged program.
#include "passes/balance/step_search.h"

#include "analysis/schedule/pipeline_model.h"
#include "io/model_file.h"
#include "passes/balance/balance_program.h"
#include "test_case.h"
#include "training_program.h"

#include <QTest>

#include <algorithm>
#include <cmath>
#include <functional>
#include <random>

using namespace sunder;

Q_DECLARE_METATYPE(sunder::PipelineSchedule)

namespace {

/// A chain of nodes with random seconds and values.
BalanceProblem randomChain(std::uint32_t nodes, std::uint32_t stages, std::mt19937& random)
{
    const auto number = [&](double most) { return std::uniform_real_distribution<>(0, most)(random); };
    BalanceProblem problem{.nodes = nodes};
    problem.seconds.emplace_back();
    for (std::uint32_t node = 0; node < nodes; ++node) {
        problem.seconds[0].push_back(0.2 + number(2));
        if (node + 1 == nodes)
            break;
        problem.order.emplace_back(node, node + 1);
        problem.values.push_back({.producer = node, .readers = {node + 1}, .seconds = number(1), .hasGradient = true});
    }
    problem.devices.resize(stages);
    return problem;
}

/// Calls `visit` with every cut of a chain into stages with at least one node.
void forEachCut(std::vector<std::uint32_t>& stageOf, std::uint32_t node, std::uint32_t stage, std::uint32_t stages,
                const std::function<void()>& visit)
{
    if (node == stageOf.size()) {
        if (stage + 1 == stages)
            visit();
        return;
    }
    for (const std::uint32_t next : {stage, stage + 1}) {
        if (next >= stages || (node == 0 && next > 0))
            continue;
        stageOf[node] = next;
        forEachCut(stageOf, node + 1, next, stages, visit);
    }
}

/// Costs with seconds for every call, and for its result.
MeasuredCosts secondsForAll(const Program& program)
{
    MeasuredCosts measured{.sources = {"costs.json"}};
    measured.nodes.resize(program.rootGraph().idBound());
    std::uint32_t count = 0;
    for (const NodeId id : program.rootGraph().nodes())
        if (program.rootGraph()[id].isCall()) {
            ++count;
            measured.nodes[id.index()] = {.seconds = 1 + count % 5, .transferSeconds = 0.25 * (count % 3)};
        }
    return measured;
}

} // namespace

class StepSearchTest final : public QObject {
    Q_OBJECT

private slots:
    void isNearlyTheBestOfAllCutsAndNeverBelowTheBound_data()
    {
        QTest::addColumn<PipelineSchedule>("schedule");
        for (const PipelineSchedule schedule : trainingSchedules())
            QTest::newRow(name(schedule).data()) << schedule;
    }
    void isNearlyTheBestOfAllCutsAndNeverBelowTheBound()
    {
        QFETCH(PipelineSchedule, schedule);
        std::mt19937 random(3);
        double excess = 0;
        constexpr int kRounds = 8;
        for (int round = 0; round < kRounds; ++round) {
            const BalanceProblem problem = randomChain(9, 4, random);
            const StepObjective objective{.order = *pipelineOrder(schedule, *pipelineSizes(schedule, 4, 6))};
            double best = std::numeric_limits<double>::infinity();
            std::vector<std::uint32_t> stageOf(problem.nodes, 0);
            forEachCut(stageOf, 0, 0, 4,
                       [&] { best = std::min(best, timetable(objective.order, stepCosts(problem, objective, stageOf)).step); });
            const Result<BalanceResult> start = balance(problem);
            QVERIFY(start);
            const StepCut cut = fastestStep(problem, objective, {{start->stageOf}}, 1e7);
            QCOMPARE(cut.step, timetable(objective.order, stepCosts(problem, objective, cut.stageOf)).step);
            QVERIFY(cut.step >= best * (1 - 1e-9));
            QVERIFY2(cut.bound <= best * (1 + 1e-9), qPrintable(QString::number(cut.bound / best)));
            QVERIFY(cut.bound > 0.5 * best);
            excess += cut.step / best - 1;
        }
        QVERIFY2(excess / kRounds < 0.03, qPrintable(QString::number(excess / kRounds)));
    }

    void equalStagesWithoutTransfersReachTheBound()
    {
        BalanceProblem problem{.nodes = 16, .seconds = {std::vector<double>(16, 0.5)}};
        for (std::uint32_t node = 0; node + 1 < 16; ++node) {
            problem.order.emplace_back(node, node + 1);
            problem.values.push_back({.producer = node, .readers = {node + 1}, .seconds = 0, .hasGradient = true});
        }
        problem.devices.resize(4);
        const StepObjective objective{.order = *pipelineOrder(PipelineSchedule::oneForwardOneBackward, {4, 4, 8})};
        std::vector<std::uint32_t> uneven(16, 3);
        uneven[0] = 0;
        uneven[1] = 1;
        uneven[2] = 2;
        const StepCut cut = fastestStep(problem, objective, {{uneven}}, 1e7);
        QCOMPARE(cut.step, 6.0 * (8 + 4 - 1));
        QVERIFY(cut.bound > 0.9 * cut.step);
        QVERIFY(cut.bound <= cut.step);
    }

    void stepIsThatOfTheTimetable_data()
    {
        QTest::addColumn<bool>("isJoint");
        QTest::addColumn<PipelineSchedule>("schedule");
        QTest::newRow("forward program, 1F1B") << false << PipelineSchedule::oneForwardOneBackward;
        QTest::newRow("forward program, ZBV") << false << PipelineSchedule::zbvZeroBubble;
        QTest::newRow("joint program, 1F1B") << true << PipelineSchedule::oneForwardOneBackward;
        QTest::newRow("joint program, LoopedBFS") << true << PipelineSchedule::loopedBfs;
    }
    void stepIsThatOfTheTimetable()
    {
        QFETCH(bool, isJoint);
        QFETCH(PipelineSchedule, schedule);
        const Program program = isJoint ? test::trainingProgram()
                                        : *readModel(SUNDER_SOURCE "/resources/samples/transformer.pt2");
        const std::uint32_t stages = isJoint ? 2 : 4;
        const BalanceOptions options{
            .stages = stages, .measured = secondsForAll(program), .step = BalanceStep{schedule, 8}, .timeLimit = 1};
        const Result<BalancePlan> plan = balanceProgram(program, options);
        QVERIFY2(plan, plan ? "" : plan.error().message.c_str());
        const PipelineModel model = *pipelineModel(program, plan->tags, {.measured = options.measured});
        QCOMPARE(model.stages.size(), std::size_t{stages});
        QCOMPARE(model.hasMeasuredBackward, isJoint);
        const PipelineOrder order = *pipelineOrder(schedule, *pipelineSizes(schedule, stages, 8));
        const double step = timetable(order, *placedCosts(model, order)).step;
        QVERIFY2(std::abs(step / plan->step->step - 1) < 1e-9,
                 qPrintable(QString::number(step) + u' ' + QString::number(plan->step->step)));
        QVERIFY(plan->step->bound <= step && plan->step->bound > 0);
    }

    void namesDevicesThatAreTooSmallForAStep()
    {
        const Program program = *readModel(SUNDER_SOURCE "/resources/samples/transformer.pt2");
        std::vector<Device> devices(
            2, {.availableBytes = 4e5, .bandwidthBytesPerSecond = 1e9, .memoryBytesPerSecond = 1e9, .flopsPerSecond = 1e9});
        devices[0].name = "first";
        devices[1].name = "second";
        devices[1].logicalId = 1;
        const BalancePlan plan = *balanceProgram(
            program, {.devices = devices, .step = BalanceStep{PipelineSchedule::gpipe, 8}, .timeLimit = 1});
        QVERIFY(std::ranges::any_of(plan.assumptions,
                                    [](const std::string& text) { return text.starts_with("device \"first\" is too small"); }));
    }

    void refusesWhatHasNoStep()
    {
        const Program program = *readModel(SUNDER_SOURCE "/resources/samples/transformer.pt2");
        QVERIFY(!balanceProgram(program, {.stages = 2, .step = BalanceStep{PipelineSchedule::inference, 8}}));
        QVERIFY(!balanceProgram(program, {.stages = 4, .step = BalanceStep{PipelineSchedule::oneForwardOneBackward, 2}}));
        QVERIFY(!balanceProgram(program, {.stages = 3, .step = BalanceStep{PipelineSchedule::zbvZeroBubble, 8}}));
    }
};

const test::Registered<StepSearchTest> stepSearchTest("step_search_test");
#include "step_search_test.moc"
