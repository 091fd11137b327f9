#include "jobs/jobs.h"
#include "patience.h"

#include "test_case.h"

#include <QSemaphore>
#include <QSignalSpy>
#include <QTest>

#include <atomic>
#include <thread>

using namespace sunder;

class JobsTest : public QObject {
    Q_OBJECT

private slots:
    void handsResultsOverInTheCallersThread()
    {
        Jobs jobs;
        int result = 0;
        QThread* thread = nullptr;
        jobs.start<int>(
            {.key = "a", .title = "one"}, [](ProgressMonitor&) -> Result<int> { return 7; }, this,
            [&](Result<int> value) {
                result = *value;
                thread = QThread::currentThread();
            });
        QTRY_COMPARE(result, 7);
        QCOMPARE(thread, QThread::currentThread());
        QCOMPARE(jobs.list().back().state, JobState::done);
    }

    void tellsACancelledJobApartFromAFailedOne()
    {
        Jobs jobs;
        std::optional<ErrorCode> code;
        const JobId id = jobs.start<int>({.key = "a", .title = "endless"}, endless(), this,
                                         [&](Result<int> value) { code = value.error().code; });
        jobs.cancel(id);
        QTRY_VERIFY(code.has_value());
        QCOMPARE(*code, ErrorCode::cancelled);
        QCOMPARE(jobs.list().back().state, JobState::cancelled);

        code.reset();
        jobs.start<int>(
            {.key = "b", .title = "broken"}, [](ProgressMonitor&) -> Result<int> { return fail(ErrorCode::io, "no such thing"); },
            this, [&](Result<int> value) { code = value.error().code; });
        QTRY_VERIFY(code.has_value());
        QCOMPARE(jobs.list().back().state, JobState::failed);
        QVERIFY(jobs.list().back().message.contains("no such thing"));
    }

    /// A job may not check for cancellation for a long time. The cancel takes effect without waiting for it.
    void isOverForThePersonBeforeTheWorkHasEnded()
    {
        Jobs jobs;
        QSemaphore hasBegun;
        QSemaphore mayEnd;
        int told = 0;
        std::optional<ErrorCode> code;
        const auto deaf = [&](ProgressMonitor&) -> Result<int> {
            hasBegun.release();
            mayEnd.acquire();
            return 7;
        };
        const JobId id = jobs.start<int>({.key = "a", .title = "deaf"}, deaf, this, [&](Result<int> value) {
            ++told;
            code = value ? std::optional<ErrorCode>() : value.error().code;
        });
        hasBegun.acquire(); // a cancelled job that has not started never starts
        jobs.cancel(id);
        jobs.cancel(id);
        QTRY_COMPARE(told, 1);
        QCOMPARE(code, std::optional(ErrorCode::cancelled));
        QCOMPARE(jobs.list().back().state, JobState::cancelled);
        QVERIFY(!jobs.isRunning("a"));
        QCOMPARE(jobs.runningCount(), 1); // the work is still running
        mayEnd.release();
        QTRY_COMPARE(jobs.runningCount(), 0);
        QCOMPARE(told, 1);
    }

    void waitsForTheEndOfWhatLeavesFiles()
    {
        Jobs jobs;
        QSemaphore hasBegun;
        QSemaphore mayEnd;
        std::optional<int> result;
        const auto writes = [&](ProgressMonitor&) -> Result<int> {
            hasBegun.release();
            mayEnd.acquire();
            return 7; // too late to cancel: the file has been written
        };
        const JobId id = jobs.start<int>({.key = "a", .title = "writes", .leavesFiles = true}, writes, this,
                                         [&](Result<int> value) { result = value.value_or(-1); });
        hasBegun.acquire();
        jobs.cancel(id);
        QCoreApplication::processEvents();
        QVERIFY(!result.has_value());
        mayEnd.release();
        QTRY_VERIFY(result.has_value());
    }

    void dropsTheResultOfAnOlderJobOfTheSameKey()
    {
        Jobs jobs;
        std::vector<int> results;
        const auto done = [&](Result<int> value) { results.push_back(value.value_or(-1)); };
        jobs.start<int>({.key = "a", .title = "older"}, endless(), this, done);
        jobs.start<int>({.key = "a", .title = "newer"}, [](ProgressMonitor&) -> Result<int> { return 2; }, this, done);
        QTRY_COMPARE(jobs.runningCount(), 0);
        QCOMPARE(results, std::vector<int>{2});
        QCOMPARE(jobs.list()[0].state, JobState::cancelled);
    }

    void forgetsResultsNobodyIsThereFor()
    {
        Jobs jobs;
        bool called = false;
        {
            QObject context;
            jobs.start<int>(
                {.key = "a", .title = "orphan"}, [](ProgressMonitor&) -> Result<int> { return 1; }, &context,
                [&](Result<int>) { called = true; });
        }
        QTRY_COMPARE(jobs.runningCount(), 0);
        QVERIFY(!called);
    }

    void turnsExceptionsIntoErrors()
    {
        Jobs jobs;
        QString message;
        jobs.start<int>(
            {.key = "a", .title = "throws"}, [](ProgressMonitor&) -> Result<int> { throw std::runtime_error("out of luck"); },
            this, [&](Result<int> value) { message = QString::fromStdString(value.error().message); });
        QTRY_VERIFY(message.contains("out of luck"));
    }

    void reportsProgress()
    {
        Jobs jobs;
        std::atomic<bool> mayEnd{false};
        QSignalSpy changes(&jobs, &Jobs::changed);
        jobs.start<int>(
            {.key = "a", .title = "slow"},
            [&](ProgressMonitor& monitor) -> Result<int> {
                monitor.report(0.25, "a quarter");
                while (!mayEnd)
                    std::this_thread::yield();
                return 0;
            },
            this, [](Result<int>) {});
        QTRY_COMPARE(jobs.list().back().permille, 250);
        QCOMPARE(jobs.list().back().step, QString("a quarter"));
        mayEnd = true;
        QTRY_COMPARE(jobs.runningCount(), 0);
    }

    void reportsJobsThatTheUserCanceled_data()
    {
        QTest::addColumn<bool>("quiet");
        QTest::addColumn<bool>("leavesFiles");
        QTest::newRow("reading") << false << false;
        QTest::newRow("writing") << false << true;
        QTest::newRow("hidden") << true << false;
    }
    void reportsJobsThatTheUserCanceled()
    {
        QFETCH(const bool, quiet);
        QFETCH(const bool, leavesFiles);
        Jobs jobs;
        QSignalSpy canceled(&jobs, &Jobs::canceled);
        QSignalSpy ended(&jobs, &Jobs::ended);
        std::optional<Error> error;
        const JobId id = jobs.start<int>({.key = "a", .title = "Read a", .quiet = quiet, .leavesFiles = leavesFiles}, endless(),
                                         this, [&error](Result<int> result) { error = result.error(); });
        jobs.cancel(id);
        QTRY_COMPARE(ended.size(), 1);
        QCOMPARE(canceled.size(), quiet ? 0 : 1);
        QVERIFY(error && !isFault(*error));
    }

    void saysNothingOfJobsThatNobodyWaitsFor()
    {
        Jobs jobs;
        QSignalSpy canceled(&jobs, &Jobs::canceled);
        QSignalSpy ended(&jobs, &Jobs::ended);
        int calls = 0;
        const auto count = [&calls](Result<int>) { ++calls; };
        jobs.drop(jobs.start<int>({.key = "a", .title = "Read a"}, endless(), this, count));
        QTRY_COMPARE(ended.size(), 1);
        jobs.start<int>({.key = "a", .title = "Read a"}, endless(), this, count);
        jobs.start<int>({.key = "a", .title = "Read a"}, [](ProgressMonitor&) -> Result<int> { return 1; }, this, count);
        QTRY_COMPARE(ended.size(), 3);
        QCOMPARE(canceled.size(), 0);
        QCOMPARE(calls, 1);
    }

private:
    static std::function<Result<int>(ProgressMonitor&)> endless()
    {
        return [](ProgressMonitor& monitor) -> Result<int> {
            while (!monitor.isCancelled())
                std::this_thread::yield();
            return fail(ErrorCode::cancelled, "Canceled.");
        };
    }
};

const test::Registered<JobsTest> jobsTest("jobs_test");
#include "jobs_test.moc"
