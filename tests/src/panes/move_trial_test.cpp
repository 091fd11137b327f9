#include "panes/partition_dag/move_trial.h"
#include "patience.h"
#include "random_program.h"
#include "test_case.h"

#include <QSemaphore>
#include <QTest>
#include <QThread>

#include <algorithm>
#include <random>

using namespace sunder;

/// Previews of moves, computed immediately or in a job.
class MoveTrialTest final : public QObject {
    Q_OBJECT

private:
    static constexpr int kParts = 5;
    static constexpr MoveTrial::Options kInAJob{.mostAtOnce = 0};

    /// Calls in consecutive parts, and a few in arbitrary parts, so that some edges run backward.
    static CutMeasurePtr measured(unsigned seed)
    {
        const auto source = std::make_shared<const Snapshot>(test::randomProgram(seed, 60));
        auto cut = std::make_shared<SplitOutcome>();
        for (int part = 0; part < kParts; ++part)
            cut->tags.order.push_back(intern("part" + std::to_string(part)));
        cut->tags.tagOf.assign(source->graph().idBound(), TagAssignment::kUntagged);
        std::mt19937 random(seed);
        int call = 0;
        for (const NodeId id : source->graph().nodes())
            if (source->isCall(id))
                cut->tags.tagOf[id.index()] = random() % 11 == 0 ? static_cast<int>(random() % kParts)
                                                                 : call++ * kParts / static_cast<int>(source->callCount);
        return std::make_shared<const CutMeasure>(source, cut, MemoryRule::freesDead);
    }

    static std::vector<NodeId> someNodes(const CutMeasure& measure, std::mt19937& random)
    {
        std::vector<NodeId> nodes;
        for (const NodeId id : measure.source()->graph().nodes())
            if (random() % 8 == 0)
                nodes.push_back(id);
        return nodes;
    }

    /// Jobs that occupy all threads during its lifetime.
    class Crowd final {
    public:
        explicit Crowd(Jobs& jobs)
        {
            const int threads = std::max(4, QThread::idealThreadCount());
            for (int i = 0; i < threads; ++i)
                jobs.start<int>(
                    {.key = QStringLiteral("crowd %1").arg(i), .title = {}},
                    [gate = m_gate](ProgressMonitor&) -> Result<int> {
                        gate->acquire();
                        return 0;
                    },
                    nullptr, [](Result<int>) {});
        }
        ~Crowd() { m_gate->release(1000); }
        Crowd(const Crowd&) = delete;
        Crowd& operator=(const Crowd&) = delete;

    private:
        std::shared_ptr<QSemaphore> m_gate = std::make_shared<QSemaphore>();
    };

private slots:
    void aJobGivesTheSameAnswer()
    {
        Jobs jobs;
        MoveTrial trial(jobs);
        trial.setOptions(kInAJob);
        for (unsigned seed = 0; seed < 40; ++seed) {
            const CutMeasurePtr measure = measured(seed);
            std::mt19937 random(seed);
            const std::vector<NodeId> nodes = someNodes(*measure, random);
            const int to = static_cast<int>(random() % kParts);
            std::optional<MovePreview> heard;
            QVERIFY(!trial.isAtOnce(*measure));
            trial.start(measure, nodes, to, [&](const MovePreview& preview) { heard = preview; });
            QVERIFY(!heard);
            QVERIFY(trial.isRunning());
            QTRY_VERIFY(heard);
            QVERIFY(!trial.isRunning());
            QVERIFY2(*heard == measure->preview(nodes, to), qPrintable(QString::number(seed)));
        }
    }

    void aSmallModelIsReckonedAtOnce()
    {
        Jobs jobs;
        MoveTrial trial(jobs);
        const CutMeasurePtr measure = measured(1);
        const std::vector<NodeId> nodes = measure->nodesOf(0);
        std::optional<MovePreview> heard;
        trial.start(measure, nodes, 1, [&](const MovePreview& preview) { heard = preview; });
        QVERIFY(heard);
        QVERIFY(*heard == measure->preview(nodes, 1));
        QVERIFY(jobs.list().empty());
        trial.setOptions({.mostAtOnce = measure->graph()->callCount});
        QVERIFY(trial.isAtOnce(*measure));
        trial.setOptions({.mostAtOnce = measure->graph()->callCount - 1});
        QVERIFY(!trial.isAtOnce(*measure));
    }

    void doesNotWaitForTheJob()
    {
        Jobs jobs;
        MoveTrial trial(jobs);
        trial.setOptions(kInAJob);
        const CutMeasurePtr measure = measured(2);
        bool isDone = false;
        auto crowd = std::make_unique<Crowd>(jobs);
        trial.start(measure, measure->nodesOf(0), 1, [&](const MovePreview&) { isDone = true; });
        test::handlePending(); // events are processed while no thread is free for the job
        QVERIFY(!isDone);
        QVERIFY(trial.isRunning());
        crowd.reset();
        QTRY_VERIFY(isDone);
    }

    void saysNothingOnceCancelled()
    {
        Jobs jobs;
        MoveTrial trial(jobs);
        trial.setOptions(kInAJob);
        const CutMeasurePtr measure = measured(3);
        int heard = 0;
        auto crowd = std::make_unique<Crowd>(jobs);
        trial.start(measure, measure->nodesOf(0), 1, [&](const MovePreview&) { ++heard; });
        trial.cancel();
        QVERIFY(!trial.isRunning());
        crowd.reset();
        QTRY_COMPARE(jobs.runningCount(), 0);
        QCOMPARE(heard, 0);
        QCOMPARE(jobs.list().back().state, JobState::cancelled);
        trial.start(measure, measure->nodesOf(0), 1, [&](const MovePreview&) { ++heard; }); // it still works
        QTRY_COMPARE(heard, 1);
    }

    void onlyTheNewestIsHeard()
    {
        Jobs jobs;
        MoveTrial trial(jobs);
        trial.setOptions(kInAJob);
        const CutMeasurePtr measure = measured(4);
        std::vector<std::int32_t> heard;
        auto crowd = std::make_unique<Crowd>(jobs);
        for (int to = 1; to < kParts; ++to)
            trial.start(measure, measure->nodesOf(0), to, [&](const MovePreview& preview) { heard.push_back(preview.to); });
        crowd.reset();
        QTRY_COMPARE(jobs.runningCount(), 0);
        QCOMPARE(heard, std::vector<std::int32_t>{kParts - 1});
    }
};

const test::Registered<MoveTrialTest> moveTrialTest("move_trial_test");
#include "move_trial_test.moc"
