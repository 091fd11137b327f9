#include "document/prepared_model.h"
#include "document/tag_watch.h"

#include "patience.h"
#include "test_case.h"
#include "test_support.h"

#include <QSignalSpy>
#include <QTest>

using namespace sunder;

/// Checks of tags after a change, immediate or in a job.
class TagWatchTest final : public QObject {
    Q_OBJECT
private slots:
    void looksAtOnceAtASmallModel()
    {
        open(20);
        TagWatch watch(subject(), &m_jobs, nullptr);
        const QSignalSpy ended(&watch, &TagWatch::ended);
        watch.check();
        QVERIFY(!watch.isChecking());
        QCOMPARE(watch.last().report.untagged.size(), 20U);
        m_state.tags.tagOf.assign(m_state.tags.tagOf.size(), 0);
        watch.check();
        QCOMPARE(watch.last().totals.tags[0].ops, 20U);
        QCOMPARE(ended.count(), 0);
    }

    void looksAtOnceWithoutJobs()
    {
        open(kLarge);
        TagWatch watch(subject(), nullptr, nullptr);
        watch.check();
        QCOMPARE(watch.last().report.untagged.size(), std::size_t(kLarge));
    }

    void leavesALargeModelToAJob()
    {
        open(kLarge);
        TagWatch watch(subject(), &m_jobs, nullptr);
        QSignalSpy ended(&watch, &TagWatch::ended);
        watch.check();
        QVERIFY(watch.isChecking());
        m_state.tags.tagOf.assign(m_state.tags.tagOf.size(), 0); // while the job checks the previous tags
        watch.check();
        QVERIFY(test::comes([&] { return !watch.isChecking(); }));
        QCOMPARE(ended.count(), 1); // only for the last change
        QCOMPARE(watch.last().totals.tags[0].ops, std::uint64_t(kLarge));
        QVERIFY(watch.last().report.untagged.empty());
    }

    void dropsWhatIsOfAnotherModel()
    {
        open(kLarge);
        TagWatch watch(subject(), &m_jobs, nullptr);
        QSignalSpy ended(&watch, &TagWatch::ended);
        watch.check();
        open(5);
        watch.reset({});
        QVERIFY(test::comes([&] { return m_jobs.runningCount() == 0; }));
        test::handlePending();
        QCOMPARE(ended.count(), 0);
        QVERIFY(watch.last().report.untagged.empty());
    }

    void nothingIsOpen()
    {
        m_snapshot = nullptr;
        TagWatch watch(subject(), &m_jobs, nullptr);
        watch.check();
        watch.updateProblems();
        QVERIFY(watch.last().problems.empty());
        QVERIFY(!watch.isChecking());
    }

    void forgetsWhatWasCountedOfOtherTags()
    {
        open(20);
        TagWatch watch(subject(), &m_jobs, nullptr);
        watch.check();
        watch.forgetTotals(5);
        QCOMPARE(watch.last().totals.tags.size(), std::size_t(5));
        QVERIFY(watch.last().report.untagged.empty());
    }

private:
    static constexpr int kLarge = 31'000;

    void open(int ops)
    {
        std::string lines = "n0 = placeholder() : 4\n";
        for (int i = 1; i <= ops; ++i)
            lines += "n" + std::to_string(i) + " = relu(n" + std::to_string(i - 1) + ") : 4\n";
        PreparedModel model = prepareModel(
            std::make_shared<const Snapshot>(test::programFromText(lines + "output(n" + std::to_string(ops) + ")\n")));
        m_snapshot = model.snapshot;
        m_state = model.state;
    }

    std::function<TagWatch::Subject()> subject()
    {
        return [this] { return TagWatch::Subject{m_snapshot, m_state.tags, m_state.active}; };
    }

    Jobs m_jobs;
    SnapshotPtr m_snapshot;
    TagState m_state;
};

const test::Registered<TagWatchTest> tagWatchTest("tag_watch_test");
#include "tag_watch_test.moc"
