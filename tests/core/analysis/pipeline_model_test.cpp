// The costs of a cut as a pipeline.
#include "analysis/schedule/pipeline_model.h"

#include "analysis/cut/part_memory.h"
#include "analysis/stages.h"
#include "io/model_file.h"
#include "test_case.h"
#include "test_support.h"

#include <QTest>

using namespace sunder;

namespace {

constexpr double kGB = 1e9;

PipelineOrder orderOf(PipelineSchedule schedule, std::uint32_t stages)
{
    return *pipelineOrder(schedule, *pipelineSizes(schedule, stages, 8));
}

std::vector<Device> twoDevices()
{
    return {{.name = "a",
             .availableBytes = kGB,
             .logicalId = 0,
             .bandwidthBytesPerSecond = 1e6,
             .memoryBytesPerSecond = kGB,
             .flopsPerSecond = 1e9},
            {.name = "b",
             .availableBytes = kGB,
             .logicalId = 1,
             .bandwidthBytesPerSecond = 1e6,
             .memoryBytesPerSecond = kGB,
             .flopsPerSecond = 2e9}};
}

} // namespace

class PipelineModelTest final : public QObject {
    Q_OBJECT

private slots:
    void peaksAreThoseOfTheMemoryReport()
    {
        const TagAssignment tags = *consecutiveStages(m_program, 4);
        const PipelineModel model = *pipelineModel(m_program, tags, {.statesPerParameter = 2});
        for (const PipelineSchedule schedule : {PipelineSchedule::gpipe, PipelineSchedule::oneForwardOneBackward}) {
            const PipelineOrder order = orderOf(schedule, 4);
            const Timetable times = timetable(order, *placedCosts(model, order));
            const MemoryReport report = memoryReport(
                m_program, tags, {}, TrainingOptions{.inFlight = order.inFlightOfStages(), .statesPerParameter = 2});
            for (std::size_t stage = 0; stage < 4; ++stage)
                QCOMPARE(times.ranks[stage].peakBytes, report.parts[stage].total());
        }
        const PipelineOrder inference = orderOf(PipelineSchedule::inference, 4);
        const Timetable times = timetable(inference, *placedCosts(model, inference));
        const MemoryReport report = memoryReport(m_program, tags, {}, {});
        for (std::size_t stage = 0; stage < 4; ++stage)
            QCOMPARE(times.ranks[stage].peakBytes, report.parts[stage].peak());
    }

    void secondsAreThoseOfTheDevice()
    {
        const PipelineModel model = *pipelineModel(m_program, *consecutiveStages(m_program, 2), {.devices = twoDevices()});
        QCOMPARE(model.kindOf, (std::vector<std::uint32_t>{0, 1}));
        const PipelineOrder order = orderOf(PipelineSchedule::oneForwardOneBackward, 2);
        const PipelineCosts costs = *placedCosts(model, order);
        QCOMPARE(costs.stages[0].forward, model.stages[0].forward[0]);
        QCOMPARE(costs.stages[1].forward, model.stages[1].forward[1]);
        QVERIFY(model.stages[1].forward[1] < model.stages[1].forward[0]);
        QCOMPARE(costs.stages[1].backward, 2 * costs.stages[1].forward);
        QCOMPARE(costs.transfers.size(), std::size_t{1});
        QVERIFY(costs.transfers[0].hasGradient);
        QVERIFY(costs.transfers[0].forward > 0);
        QCOMPARE(*model.availableOf(1), kGB);
    }

    void weightsOfStagesOnOneRankCountOnce()
    {
        const Program program = test::programFromText(R"(
            w = get_attr[w]() : 8x8
            x = placeholder() : 4x8
            a = mm(x, w) : 4x8
            b = relu(a) : 4x8
            c = mm(b, w) : 4x8
            d = relu(c) : 4x8
            output(d))");
        TagAssignment tags = *consecutiveStages(program, 4, StageMeasure::nodes);
        MeasuredCosts measured{.sources = {"costs.json"}};
        measured.nodes.assign(program.rootGraph().idBound(), {.seconds = 1});
        const PipelineModel model = *pipelineModel(program, tags, {.measured = measured});
        const auto shared = static_cast<std::size_t>(std::ranges::count_if(
            model.sharedWeights, [](const auto& weight) { return weight.stages == std::vector<std::uint32_t>{0, 2}; }));
        QCOMPARE(shared, std::size_t{model.stages[0].weights > 0 ? 1U : 0U});
        const PipelineOrder order = orderOf(PipelineSchedule::loopedBfs, 4); // stages 0 and 2 are on rank 0
        const PipelineCosts costs = *placedCosts(model, order);
        QCOMPARE(costs.held[0], model.stages[0].weights + model.stages[0].gradients + model.stages[2].gradients);
    }

    void cutsThatCannotRunAreRefused()
    {
        TagAssignment tags = *consecutiveStages(m_program, 2);
        std::swap(tags.order[0], tags.order[1]);
        for (std::int32_t& tag : tags.tagOf)
            tag = tag < 0 ? tag : 1 - tag;
        const Result<PipelineModel> backward = pipelineModel(m_program, tags, {});
        QVERIFY(!backward && backward.error().message.find("not legal") != std::string::npos);
        tags.tagOf.assign(tags.tagOf.size(), TagAssignment::kUntagged);
        const Result<PipelineModel> untagged = pipelineModel(m_program, tags, {});
        QVERIFY(!untagged && untagged.error().message.find("without a tag") != std::string::npos);
        const PipelineModel model = *pipelineModel(m_program, *consecutiveStages(m_program, 4), {.devices = twoDevices()});
        QVERIFY(!placedCosts(model, orderOf(PipelineSchedule::gpipe, 4)));
        QVERIFY(placedCosts(model, orderOf(PipelineSchedule::dualPipeV, 4)));
        QVERIFY(!placedCosts(model, orderOf(PipelineSchedule::gpipe, 3)));
    }

private:
    const Program m_program = *readModel(SUNDER_SOURCE "/resources/samples/transformer.pt2");
};

const test::Registered<PipelineModelTest> pipelineModelTest("pipeline_model_test");
#include "pipeline_model_test.moc"
