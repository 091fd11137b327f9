// Timetables of random pipelines keep the rules, and equal what a plain calculation gives.
#include "analysis/schedule/timetable.h"

#include "test_case.h"

#include <QTest>

#include <algorithm>
#include <cmath>
#include <map>
#include <random>
#include <tuple>

using namespace sunder;

Q_DECLARE_METATYPE(sunder::PipelineSchedule)

namespace {

PipelineOrder orderOf(PipelineSchedule schedule, std::uint32_t stages, std::uint32_t microBatches)
{
    return *pipelineOrder(schedule, *pipelineSizes(schedule, stages, microBatches));
}

/// Random seconds and bytes, with values from each stage to the next and to some later ones.
PipelineCosts randomCosts(const PipelineOrder& order, double transfer, std::mt19937& random)
{
    const auto number = [&](double most) { return std::uniform_real_distribution<>(0.1, most)(random); };
    PipelineCosts costs;
    for (std::uint32_t stage = 0; stage < order.sizes.stages; ++stage) {
        costs.stages.push_back({.forward = number(2), .backward = number(4), .kept = random() % 100, .working = random() % 100});
        for (std::uint32_t to = stage + 1; to < order.sizes.stages; ++to)
            if (to == stage + 1 || random() % 4 == 0)
                costs.transfers.push_back({.from = stage,
                                           .to = to,
                                           .forward = transfer * number(1),
                                           .backward = transfer * number(1),
                                           .hasGradient = to == stage + 1 || random() % 2 == 0});
    }
    for (std::uint32_t rank = 0; rank < order.sizes.ranks; ++rank)
        costs.held.push_back(random() % 1000);
    return costs;
}

using ActionKey = std::tuple<std::uint32_t, std::uint32_t, bool>; // stage, micro-batch, whether it is a backward pass

/// Returns the ends of forward passes, and of the backward passes that send gradients.
std::map<ActionKey, double> endsOf(const Timetable& times)
{
    std::map<ActionKey, double> ends;
    for (const std::vector<TimedAction>& rank : times.actions)
        for (const TimedAction& timed : rank)
            if (timed.action.kind != ActionKind::weightGradient)
                ends[{timed.action.stage, timed.action.microBatch, timed.action.kind != ActionKind::forward}] = timed.end;
    return ends;
}

/// Returns when the inputs of an action have arrived.
double arrivalOf(const PipelineAction& action, const PipelineOrder& order, const PipelineCosts& costs, const Timetable& times,
                 const std::map<ActionKey, double>& ends)
{
    double arrival = 0;
    if (action.kind == ActionKind::weightGradient)
        return arrival;
    const bool isBackward = action.kind != ActionKind::forward;
    for (const PipelineCosts::Transfer& transfer : costs.transfers) {
        if ((isBackward ? transfer.from : transfer.to) != action.stage || (isBackward && !transfer.hasGradient))
            continue;
        const std::uint32_t source = isBackward ? transfer.to : transfer.from;
        if (order.rankOf[source] == order.rankOf[action.stage]) {
            arrival = std::max(arrival, ends.at({source, action.microBatch, isBackward}));
            continue;
        }
        const auto sent = std::ranges::find_if(times.transfers, [&](const TimedTransfer& t) {
            return t.from == source && t.to == action.stage && t.microBatch == action.microBatch;
        });
        arrival = sent != times.transfers.end() ? std::max(arrival, sent->end) : 1e9;
    }
    return arrival;
}

} // namespace

class TimetableTest final : public QObject {
    Q_OBJECT

private slots:
    void actionsAndTransfersStartAsEarlyAsPossible_data() { addSchedules(); }
    void actionsAndTransfersStartAsEarlyAsPossible()
    {
        QFETCH(PipelineSchedule, schedule);
        std::mt19937 random(7);
        for (int round = 0; round < 12; ++round) {
            const PipelineOrder order = orderOf(schedule, 6, 6 + round % 3 * 3);
            const PipelineCosts costs = randomCosts(order, round % 4, random);
            const Timetable times = timetable(order, costs);
            const std::map<ActionKey, double> ends = endsOf(times);
            for (std::size_t rank = 0; rank < order.ranks.size(); ++rank) {
                double free = 0;
                QCOMPARE(times.actions[rank].size(), order.ranks[rank].size());
                for (std::size_t i = 0; i < times.actions[rank].size(); ++i) {
                    const TimedAction& timed = times.actions[rank][i];
                    QVERIFY(timed.action == order.ranks[rank][i]);
                    const double arrival = arrivalOf(timed.action, order, costs, times, ends);
                    QVERIFY(std::abs(timed.start - std::max(free, arrival)) < 1e-9);
                    free = timed.end;
                }
            }
            checkLanes(order, times, ends);
        }
    }

    void withoutTransfersTheStepIsTheLongestPath_data() { addSchedules(); }
    void withoutTransfersTheStepIsTheLongestPath()
    {
        QFETCH(PipelineSchedule, schedule);
        std::mt19937 random(11);
        const PipelineOrder order = orderOf(schedule, 4, 8);
        const PipelineCosts costs = randomCosts(order, 0, random);
        // Raises the ends of all actions until nothing changes.
        std::map<ActionKey, double> ends;
        double step = 0;
        for (bool changed = true; changed;) {
            changed = false;
            for (const std::vector<PipelineAction>& actions : order.ranks) {
                double now = 0;
                for (const PipelineAction& action : actions) {
                    const PipelineCosts::Stage& stage = costs.stages[action.stage];
                    const bool isBackward = action.kind != ActionKind::forward;
                    for (const PipelineCosts::Transfer& transfer : costs.transfers)
                        if (action.kind != ActionKind::weightGradient
                            && (isBackward ? transfer.from == action.stage && transfer.hasGradient : transfer.to == action.stage))
                            now = std::max(now, ends[{isBackward ? transfer.to : transfer.from, action.microBatch, isBackward}]);
                    now += !isBackward                        ? stage.forward
                        : action.kind == ActionKind::backward ? stage.backward
                                                              : stage.backward / 2;
                    double& end = ends[{action.stage, action.microBatch, isBackward}];
                    if (action.kind != ActionKind::weightGradient && end < now) {
                        end = now;
                        changed = true;
                    }
                    step = std::max(step, now);
                }
            }
        }
        QVERIFY(std::abs(timetable(order, costs).step - step) < 1e-9);
    }

    void secondsOfARankAddUpToTheStep()
    {
        std::mt19937 random(3);
        const PipelineOrder order = orderOf(PipelineSchedule::interleaved1F1B, 8, 8);
        const Timetable times = timetable(order, randomCosts(order, 3, random));
        double busy = 0;
        for (const RankTimes& rank : times.ranks) {
            QVERIFY(std::abs(rank.busy + rank.waitsForTransfer + rank.bubble - times.step) < 1e-9);
            QVERIFY(rank.waitsForTransfer > 0);
            busy += rank.busy;
        }
        QVERIFY(std::abs(times.bubble - (1 - busy / (static_cast<double>(times.ranks.size()) * times.step))) < 1e-12);
    }

    void memoryIsHeldUntilTheBackwardPassEnds()
    {
        const PipelineOrder order = orderOf(PipelineSchedule::gpipe, 2, 3);
        PipelineCosts costs = unitCosts(order);
        costs.stages[0].kept = 10;
        costs.stages[0].working = 4;
        costs.held = {100, 7};
        const Timetable times = timetable(order, costs);
        QCOMPARE(times.ranks[0].peakBytes, std::uint64_t{100 + 3 * 10 + 4});
        QCOMPARE(times.ranks[1].peakBytes, std::uint64_t{7});
        QCOMPARE(times.ranks[0].inFlight, std::uint64_t{3});
        QCOMPARE(times.memory[0].front().bytes, std::uint64_t{114});
        QCOMPARE(times.memory[0].back().bytes, std::uint64_t{100});
        QCOMPARE(times.memory[0].back().time, times.step);
    }

    void bindingIsTheLargestShareOrFullMemory()
    {
        const RankTimes times{.busy = 3, .waitsForTransfer = 2, .bubble = 1, .peakBytes = 96};
        QCOMPARE(times.binding(), RankBinding::compute);
        QCOMPARE(times.binding(100), RankBinding::memory);
        QCOMPARE(RankTimes({.busy = 1, .waitsForTransfer = 3, .bubble = 2}).binding(), RankBinding::transfer);
        QCOMPARE(RankTimes({.busy = 1, .bubble = 2}).binding(200), RankBinding::bubble);
    }

    void inferenceReachesTheIntervalOfTheSlowestLane()
    {
        std::mt19937 random(5);
        for (const double transfer : {0.0, 1.0, 6.0}) {
            PipelineCosts costs;
            const PipelineOrder few = orderOf(PipelineSchedule::inference, 4, 200);
            costs = randomCosts(few, transfer, random);
            std::erase_if(costs.transfers, [](const auto& t) { return t.to != t.from + 1; });
            const PipelineOrder many = orderOf(PipelineSchedule::inference, 4, 400);
            const InferenceFigures figures = inferenceFigures(few, costs);
            const double interval = (timetable(many, costs).step - timetable(few, costs).step) / 200;
            QVERIFY(std::abs(interval - figures.interval) < 1e-9);
            double latency = 0;
            for (const PipelineCosts::Stage& stage : costs.stages)
                latency += stage.forward;
            for (const PipelineCosts::Transfer& one : costs.transfers)
                latency += one.forward;
            QVERIFY(std::abs(latency - figures.latency) < 1e-9);
            QCOMPARE(figures.isTransfer, transfer > 5);
        }
    }

private:
    static void addSchedules()
    {
        QTest::addColumn<PipelineSchedule>("schedule");
        for (const PipelineSchedule schedule : trainingSchedules())
            QTest::newRow(name(schedule).data()) << schedule;
    }

    static void checkLanes(const PipelineOrder& order, const Timetable& times, const std::map<ActionKey, double>& ends)
    {
        std::vector<double> sends(order.ranks.size(), 0);
        std::vector<double> receives(order.ranks.size(), 0);
        std::vector<TimedTransfer> sorted = times.transfers;
        const auto produced = [&](const TimedTransfer& transfer) {
            return ends.at({transfer.from, transfer.microBatch, transfer.isGradient()});
        };
        // Earlier results go first; equally early ones keep the order of their starts.
        std::ranges::stable_sort(sorted, [&](const auto& a, const auto& b) { return produced(a) < produced(b); });
        for (const TimedTransfer& transfer : sorted) {
            double& send = sends[order.rankOf[transfer.from]];
            double& receive = receives[order.rankOf[transfer.to]];
            const bool isInstant = transfer.end == transfer.start;
            QVERIFY(std::abs(transfer.start - (isInstant ? produced(transfer) : std::max({produced(transfer), send, receive})))
                    < 1e-9);
            send = std::max(send, transfer.end);
            receive = std::max(receive, transfer.end);
        }
    }
};

const test::Registered<TimetableTest> timetableTest("timetable_test");
#include "timetable_test.moc"
