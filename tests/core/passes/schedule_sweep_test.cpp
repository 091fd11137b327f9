// Combinations of schedules, micro-batches, and stages.
#include "passes/balance/schedule_sweep.h"

#include "io/model_file.h"
#include "test_case.h"

#include <QTest>

#include <algorithm>

using namespace sunder;

class ScheduleSweepTest final : public QObject {
    Q_OBJECT

private slots:
    void rowsAreTheirTimetables()
    {
        const SweepOptions options = optionsFor({});
        const Sweep sweep = *scheduleSweep(m_program, options);
        // Three numbers of stages for 2 schedules with one stage per rank, one for the 5 others, and 2 numbers of micro-batches.
        QCOMPARE(sweep.rows.size(), std::size_t{2 * (3 * 2 + 1 * 5)});
        QCOMPARE(sweep.cuts.size(), std::size_t{3}); // schedules share them
        std::size_t refused = 0;
        for (const SweepRow& row : sweep.rows) {
            if (!row.refusal.empty()) {
                ++refused;
                continue;
            }
            const PipelineOrder order = *pipelineOrder(row.schedule, row.sizes);
            const Timetable times = timetable(order, *placedCosts(sweep.cuts[row.cut].model, order));
            QCOMPARE(row.step, times.step);
            QCOMPARE(row.bubble, times.bubble);
            QCOMPARE(row.throughput, row.sizes.microBatches / times.step);
            QVERIFY(row.fits);
            QVERIFY(std::ranges::any_of(times.ranks, [&](const RankTimes& rank) { return rank.peakBytes == row.peakBytes; }));
        }
        QCOMPARE(refused, std::size_t{2}); // 1F1B and DualPipeV with 3 micro-batches for 4 stages
    }

    void bestFitsAndHasTheHighestThroughput()
    {
        const Sweep free = *scheduleSweep(m_program, optionsFor({}));
        QVERIFY(free.best);
        for (const SweepRow& row : free.rows)
            QVERIFY(row.throughput <= free.rows[*free.best].throughput * (1 + 1e-9));
        Device small{.name = "small",
                     .availableBytes = 0,
                     .bandwidthBytesPerSecond = 1e9,
                     .memoryBytesPerSecond = 1e9,
                     .flopsPerSecond = 1e9};
        for (const SweepRow& row : free.rows)
            small.availableBytes = std::max(small.availableBytes, static_cast<double>(row.peakBytes));
        small.availableBytes *= 0.7;
        std::vector<Device> devices(4, small);
        for (std::size_t i = 0; i < devices.size(); ++i)
            devices[i].logicalId = static_cast<std::int64_t>(i);
        const Sweep limited = *scheduleSweep(m_program, optionsFor(devices));
        bool someDoNotFit = false;
        for (const SweepRow& row : limited.rows) {
            someDoNotFit = someDoNotFit || (row.refusal.empty() && !row.fits);
            if (!row.fits)
                QCOMPARE(row.binds, RankBinding::memory);
        }
        QVERIFY(someDoNotFit);
        QVERIFY(limited.best && limited.rows[*limited.best].fits && limited.rows[*limited.best].refusal.empty());
    }

    void tagsAreTheOnlyCut()
    {
        SweepOptions options = optionsFor({});
        const Sweep all = *scheduleSweep(m_program, options);
        options.tags = all.cuts.back().tags;
        const Sweep one = *scheduleSweep(m_program, options);
        QCOMPARE(one.cuts.size(), std::size_t{1});
        for (const SweepRow& row : one.rows)
            QCOMPARE(row.sizes.stages, 4U);
    }

private:
    [[nodiscard]] static SweepOptions optionsFor(const std::vector<Device>& devices)
    {
        return {.schedules = {trainingSchedules().begin(), trainingSchedules().end()},
                .microBatches = {3, 8},
                .stages = {2, 3, 4},
                .model = {.devices = devices, .statesPerParameter = 2}};
    }

    const Program m_program = *readModel(SUNDER_SOURCE "/resources/samples/transformer.pt2");
};

const test::Registered<ScheduleSweepTest> scheduleSweepTest("schedule_sweep_test");
#include "schedule_sweep_test.moc"
